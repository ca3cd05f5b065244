import type { Language, LanguageScores } from '../speech/language.ts'
import { type ChunkRequest, type ChunkTranscriber, SAMPLE_RATE_HZ, type Samples } from '../speech/ports.ts'
import { splitInQuiet } from '../transcription/split-in-quiet.ts'

export type TurnHearingOptions = {
  readonly transcriber: ChunkTranscriber
  /** What may be spoken, where the caller did not say `language`. */
  readonly languages: readonly Language[]
  readonly language?: Language
  /** Text that will not change any more; the deltas of a turn joined are its text. */
  readonly onDelta: (text: string) => void
}

export type HeardTurn = {
  readonly text: string
  /** What most of the turn was spoken in; null where nobody spoke. */
  readonly language: Language | null
  readonly durationMs: number
}

/** The ear of one turn: its audio goes in while it is spoken, its text comes out soon after. */
export interface TurnHearing {
  /** 16 kHz, the next piece of the turn. */
  push(samples: Samples): void
  /** The detector's `paused`: transcribes what there is, so that the text is ready if this was the end. */
  pauseBegan(): void
  /** The detector's `resumed`: this was not the end. */
  speechWentOn(): void
  /** The turn is over. Rejects with the recogniser's error; a cancelled turn rejects too. */
  finish(): Promise<HeardTurn>
  /** Stops all work for this turn; nothing is reported after it. */
  cancel(): void
}

/**
 * A pause closes a piece of the turn only if the piece is this long: recognition needs what is around a word. On broadcast
 * Hindi such pieces made no more errors than whole turns and a tenth less work after the last word (docs/realtime.md).
 */
const SHORTEST_PIECE_SAMPLES = 1.5 * SAMPLE_RATE_HZ
/** Without a pause a piece is cut at its quietest place: recognisers take 30 s. */
const LONGEST_PIECE_SAMPLES = 24 * SAMPLE_RATE_HZ
/** A piece shorter than this is in the language of the piece before it. */
const JUDGED_ALONE_SAMPLES = 2 * SAMPLE_RATE_HZ

type HeardPiece = {
  readonly text: string
  readonly language: Language
  readonly scores: LanguageScores
  readonly samples: number
}
type Attempt = { readonly samples: Samples; readonly abort: AbortController; readonly heard: Promise<HeardPiece> }

export const openTurnHearing = (options: TurnHearingOptions): TurnHearing => new PiecewiseHearing(options)

/**
 * The turn is transcribed in pieces, one after the other: a piece ends at a pause after which speech went on, at the
 * quietest place of a long stretch, or with the turn. What was begun at a pause that closes nothing is thrown away.
 */
class PiecewiseHearing implements TurnHearing {
  readonly #options: TurnHearingOptions
  readonly #cancelled = new AbortController()
  readonly #closed: Promise<HeardPiece>[] = []
  #open: Samples[] = []
  #openSamples = 0
  #early: Attempt | undefined
  #totalSamples = 0
  #deltas = ''

  constructor(options: TurnHearingOptions) {
    this.#options = options
  }

  push(samples: Samples): void {
    this.#open.push(samples)
    this.#openSamples += samples.length
    this.#totalSamples += samples.length
    if (this.#openSamples < LONGEST_PIECE_SAMPLES || this.#early) return
    const [head, tail] = splitInQuiet(this.#takeOpen())
    this.#close(this.#attempt(head))
    this.#open = [tail]
    this.#openSamples = tail.length
  }

  pauseBegan(): void {
    this.#early ??= this.#attempt(joined(this.#open, this.#openSamples))
  }

  speechWentOn(): void {
    const early = this.#early
    this.#early = undefined
    if (!early) return
    if (early.samples.length < SHORTEST_PIECE_SAMPLES) {
      early.abort.abort()
      return
    }
    const rest = this.#takeOpen().slice(early.samples.length)
    this.#open = [rest]
    this.#openSamples = rest.length
    this.#close(early)
  }

  async finish(): Promise<HeardTurn> {
    const last = this.#early ?? (this.#openSamples > 0 ? this.#attempt(this.#takeOpen()) : undefined)
    this.#early = undefined
    if (last) this.#close(last)
    const pieces = await Promise.all(this.#closed)
    this.#cancelled.signal.throwIfAborted()
    const durationMs = Math.round((this.#totalSamples * 1000) / SAMPLE_RATE_HZ)
    return { text: this.#deltas, language: mainLanguage(pieces), durationMs }
  }

  cancel(): void {
    this.#cancelled.abort()
  }

  /** Begins when the piece before it is heard: its language may count, and there are not more cores than one piece needs. */
  #attempt(samples: Samples): Attempt {
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, this.#cancelled.signal])
    const before = this.#closed.at(-1)
    const heard = Promise.resolve(before).then((piece) => this.#transcribe(samples, piece, signal))
    // Who gives up an attempt does not wait for its failure.
    heard.catch(() => undefined)
    return { samples, abort, heard }
  }

  #close({ heard }: Attempt): void {
    const reported = heard.then((piece) => {
      this.#report(piece.text)
      return piece
    })
    reported.catch(() => undefined)
    this.#closed.push(reported)
  }

  #report(text: string): void {
    if (text === '' || this.#cancelled.signal.aborted) return
    const delta = this.#deltas === '' ? text : ` ${text}`
    this.#deltas += delta
    this.#options.onDelta(delta)
  }

  async #transcribe(samples: Samples, before: HeardPiece | undefined, signal: AbortSignal): Promise<HeardPiece> {
    signal.throwIfAborted()
    const { transcriber, languages, language } = this.#options
    const leans = before && samples.length < JUDGED_ALONE_SAMPLES
    const request: ChunkRequest = {
      samples,
      languages,
      isLive: true,
      ...(language !== undefined && { language }),
      ...(leans && { languageScores: before.scores }),
    }
    const [outcome] = await transcriber.transcribe([request], signal)
    if (!outcome) throw new Error('the recogniser gave no answer')
    if (!outcome.ok) throw outcome.error
    const { segments, language: heard, languageScores } = outcome.value
    const text = segments.map((segment) => segment.text).join(' ')
    return { text, language: heard, scores: languageScores, samples: samples.length }
  }

  #takeOpen(): Samples {
    const all = joined(this.#open, this.#openSamples)
    this.#open = []
    this.#openSamples = 0
    return all
  }
}

function joined(blocks: readonly Samples[], length: number): Samples {
  const all = new Float32Array(length)
  let at = 0
  for (const block of blocks) {
    all.set(block, at)
    at += block.length
  }
  return all
}

function mainLanguage(pieces: readonly HeardPiece[]): Language | null {
  const spoken = new Map<Language, number>()
  for (const { text, language, samples } of pieces) {
    if (text !== '') spoken.set(language, (spoken.get(language) ?? 0) + samples)
  }
  return [...spoken].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}
