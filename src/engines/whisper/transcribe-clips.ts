import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'
import type { Segment } from '../../speech/transcript.ts'
import { soundLevels } from '../host/sound-levels.ts'
import { tokenStarts } from './align-tokens.ts'
import { allowedTokens, keepAllowedLetters, type WritingSystem } from './allowed-tokens.ts'
import type { ClipStates } from './clip-states.ts'
import type { Attention } from './cross-attention.ts'
import { type Decoded, decodeBatch } from './decode-batch.ts'
import { decodeBeams } from './decode-beams.ts'
import { judgeDecoding, meanLogProb, type Verdict } from './judge-decoding.ts'
import { seededRandom } from './seeded-random.ts'
import { toSegments } from './to-segments.ts'
import { TokenRules } from './token-rules.ts'
import type { WhisperGraph } from './whisper-graph.ts'
import { spellTokens, type WhisperVocabulary } from './whisper-vocabulary.ts'

export type Clip = { readonly samples: Samples; readonly language: string }

export type TranscriberOptions = {
  readonly graph: WhisperGraph
  readonly vocabulary: WhisperVocabulary
  readonly states: ClipStates
  readonly scripts: readonly WritingSystem[]
  readonly withTimestamps: boolean
  /** Cut to the clip for a model taught so; others are given the whole window, or words are lost and repeated. */
  readonly window: 'short' | 'whole'
  /** Off: plain greedy decoding over the whole window and vocabulary, for comparison with other implementations. */
  readonly hasGuards: boolean
  /** Texts followed side by side; 1 takes the likeliest token each time. */
  readonly beams: number
}

/** Tried in turn while a decoding is doubtful. */
const RETRY_TEMPERATURES = [0.4, 0.8]
/** Nobody says more than so many tokens in a second; Hindi at speed takes sixteen. */
const TOKENS_PER_SECOND = 24
const FEWEST_TOKENS = 12
/** A clip that never comes above this holds no speech; to digital silence the model says "you", and is sure of it. */
const QUIETEST_SPEECH = 0.0005
/** Two mel frames make one state of the encoder. */
const STATE_MS = 20

type Attempt = {
  readonly decoded: Decoded
  readonly verdict: Verdict
  /** Where in the first so many states of the clip the tokens were found. */
  readonly attention: (states: number) => Attention | undefined
}
type Rows = { readonly clips: readonly Clip[]; readonly states: readonly Float32Array[] }

/** Clips of different length to text, in one decode. */
export class ClipTranscriber {
  readonly #options: TranscriberOptions
  readonly #rules: TokenRules

  constructor(options: TranscriberOptions) {
    this.#options = options
    const { graph, vocabulary, scripts, withTimestamps, hasGuards } = options
    const allowed = hasGuards ? allowedTokens(vocabulary, scripts) : allButSuppressed(vocabulary)
    this.#rules = new TokenRules({ vocabulary, tokensOfPlaces: graph.tokensOfPlaces, allowed, withTimestamps })
  }

  async transcribe(clips: readonly Clip[], signal: AbortSignal): Promise<Segment[][]> {
    const attempts = await this.#decodeAll(clips, signal)
    return clips.map(({ samples, language }, i) => {
      const own = attempts[i]
      if (!own) return []
      const durationMs = Math.round((samples.length * 1000) / SAMPLE_RATE_HZ)
      const startsMs = tokenTimes(own.attention(Math.ceil(durationMs / STATE_MS)), own.decoded)
      const spell = (tokens: readonly number[]) => this.#spell(tokens)
      const { vocabulary } = this.#options
      const levels = soundLevels(samples)
      return toSegments({ decoded: own.decoded, vocabulary, language, durationMs, levels, startsMs, spell })
    })
  }

  /** Absent: nobody speaks there. */
  async decode(clips: readonly Clip[], signal: AbortSignal): Promise<(Decoded | undefined)[]> {
    return (await this.#decodeAll(clips, signal)).map((attempt) => attempt?.decoded)
  }

  async #decodeAll(clips: readonly Clip[], signal: AbortSignal): Promise<(Attempt | undefined)[]> {
    const audible = clips.filter(({ samples }) => !this.#options.hasGuards || isAudible(samples))
    const decoded = audible.length > 0 ? await this.#decodeAudible(audible, signal) : []
    return clips.map((clip) => decoded[audible.indexOf(clip)])
  }

  async #decodeAudible(clips: readonly Clip[], signal: AbortSignal): Promise<(Attempt | undefined)[]> {
    const states: Float32Array[] = []
    for (const { samples } of clips) {
      if (signal.aborted) throw signal.reason
      states.push(await this.#options.states.of(samples, this.#options.window))
    }
    const attempts = await this.#attempt({ clips, states }, 0, signal)
    if (this.#options.hasGuards) await this.#retryDoubtful({ clips, states }, attempts, signal)
    return attempts.map((attempt) => (attempt.verdict === 'silent' ? undefined : attempt))
  }

  async #attempt({ clips, states }: Rows, temperature: number, signal: AbortSignal): Promise<Attempt[]> {
    const { graph, vocabulary, hasGuards, beams } = this.#options
    const decoder = await graph.startDecoder(states)
    const prompts = clips.map(({ language }) => this.#prompt(language))
    const room = graph.maxTokens - (prompts[0]?.length ?? 0)
    const maxTokens = clips.map(({ samples }) => (hasGuards ? Math.min(room, tokenLimit(samples)) : room))
    const request = { prompts, maxTokens, end: vocabulary.end, noSpeech: vocabulary.noSpeech, temperature }
    const randoms = clips.map(({ samples }) => seededRandom(samples.length))
    const order = { ...request, randoms, stopsLoops: hasGuards }
    const all =
      beams > 1 && temperature === 0
        ? await decodeBeams(decoder, this.#rules, order, beams, signal)
        : await decodeBatch(decoder, this.#rules, order, signal)
    return all.map((decoded, row) => ({
      decoded,
      verdict: judgeDecoding(decoded, this.#spell(decoded.tokens)),
      attention: (states) => decoder.attention(row, decoded.entries, states),
    }))
  }

  async #retryDoubtful(rows: Rows, attempts: Attempt[], signal: AbortSignal): Promise<void> {
    for (const temperature of RETRY_TEMPERATURES) {
      const doubtful = [...attempts.keys()].filter((row) => attempts[row]?.verdict === 'doubtful')
      if (doubtful.length === 0) return
      const clips = doubtful.flatMap((row) => rows.clips[row] ?? [])
      const states = doubtful.flatMap((row) => rows.states[row] ?? [])
      const again = await this.#attempt({ clips, states }, temperature, signal)
      doubtful.forEach((row, i) => {
        const chosen = better(attempts[row], again[i])
        if (chosen) attempts[row] = chosen
      })
    }
  }

  #prompt(language: string): number[] {
    const { vocabulary, withTimestamps } = this.#options
    const spoken = vocabulary.languages.get(language) ?? vocabulary.languages.get('en') ?? vocabulary.start
    const prompt = [vocabulary.start, spoken, vocabulary.transcribe]
    return withTimestamps ? prompt : [...prompt, vocabulary.noTimestamps]
  }

  #spell(tokens: readonly number[]): string {
    const { vocabulary, scripts, hasGuards } = this.#options
    const text = spellTokens(vocabulary, tokens)
    return hasGuards ? keepAllowedLetters(text, scripts) : text
  }
}

/** When each token begins and when the last ends; absent where the model does not tell. */
function tokenTimes(attention: Attention | undefined, { tokens }: Decoded): number[] | undefined {
  if (!attention) return undefined
  const starts = tokenStarts(attention).map((state) => state * STATE_MS)
  return starts.length > tokens.length ? starts : [...starts, attention.states * STATE_MS]
}

const isAudible = (samples: Samples): boolean => samples.some((sample) => Math.abs(sample) > QUIETEST_SPEECH)

const tokenLimit = (samples: Samples): number =>
  FEWEST_TOKENS + Math.ceil((TOKENS_PER_SECOND * samples.length) / SAMPLE_RATE_HZ)

function better(first: Attempt | undefined, second: Attempt | undefined): Attempt | undefined {
  if (!first || !second) return first ?? second
  if (second.verdict !== 'doubtful') return second
  return meanLogProb(second.decoded) > meanLogProb(first.decoded) ? second : first
}

function allButSuppressed(vocabulary: WhisperVocabulary): Uint8Array {
  const mask = new Uint8Array(vocabulary.size).fill(1)
  for (const token of [...vocabulary.suppressed, vocabulary.end]) mask[token] = 0
  return mask
}
