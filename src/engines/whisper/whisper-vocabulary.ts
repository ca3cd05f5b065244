import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { byteLetters } from '../../models/whisper/byte-letters.ts'
import { LipikError } from '../../platform/errors.ts'

const TokenizerFile = z.object({
  model: z.object({ vocab: z.record(z.string(), z.number().int()) }),
  added_tokens: z.array(z.object({ id: z.number().int(), content: z.string() })),
})

const GenerationFile = z.object({
  suppress_tokens: z.array(z.number().int()).nullish(),
  begin_suppress_tokens: z.array(z.number().int()).nullish(),
  alignment_heads: z.array(z.tuple([z.number().int(), z.number().int()])).nullish(),
})

const TIMESTAMP_STEP_MS = 20

/** The model's own tokens: what they spell, and the numbers of those with a meaning of their own. */
export type WhisperVocabulary = {
  /** UTF-8 bytes by token; a word may end in the middle of a letter. Empty for tokens with a meaning of their own. */
  readonly bytes: readonly Uint8Array[]
  readonly size: number
  readonly start: number
  readonly end: number
  readonly transcribe: number
  readonly noTimestamps: number
  /** Stands before text that came earlier. */
  readonly previous: number
  readonly noSpeech: number
  readonly firstTimestamp: number
  readonly languages: ReadonlyMap<string, number>
  /** Never written: marks that are not speech. */
  readonly suppressed: readonly number[]
  /** Not written first: an answer does not begin with a blank, or with its end. */
  readonly suppressedFirst: readonly number[]
}

export async function readVocabulary(folder: string): Promise<WhisperVocabulary> {
  const tokenizer = TokenizerFile.parse(await readJson(join(folder, 'tokenizer.json')))
  const generation = GenerationFile.parse(await readJson(join(folder, 'generation_config.json')))
  const added = new Map(tokenizer.added_tokens.map(({ content, id }) => [content, id]))
  const named = (...names: string[]): number => {
    const id = names.map((name) => added.get(name)).find((each) => each !== undefined)
    if (id === undefined) throw new LipikError('model_unavailable', `the tokenizer has no ${names[0]}`)
    return id
  }
  const noTimestamps = named('<|notimestamps|>')
  return {
    bytes: spell(tokenizer.model.vocab, tokenizer.added_tokens),
    size: noTimestamps + 1 + 30_000 / TIMESTAMP_STEP_MS + 1,
    start: named('<|startoftranscript|>'),
    end: named('<|endoftext|>'),
    transcribe: named('<|transcribe|>'),
    noTimestamps,
    previous: named('<|startofprev|>'),
    noSpeech: named('<|nospeech|>', '<|nocaptions|>'),
    firstTimestamp: noTimestamps + 1,
    languages: languageTokens(added),
    suppressed: generation.suppress_tokens ?? [],
    suppressedFirst: generation.begin_suppress_tokens ?? [],
  }
}

/** Text of tokens; letters broken at either end are left out. */
export function spellTokens(vocabulary: WhisperVocabulary, tokens: readonly number[]): string {
  const parts = tokens.map((token) => vocabulary.bytes[token] ?? new Uint8Array())
  return new TextDecoder().decode(Buffer.concat(parts)).replaceAll('\uFFFD', '')
}

export const timestampMs = (vocabulary: WhisperVocabulary, token: number): number =>
  (token - vocabulary.firstTimestamp) * TIMESTAMP_STEP_MS

function spell(vocab: Record<string, number>, added: readonly { id: number }[]): Uint8Array[] {
  const letters = byteLetters()
  const bytes: Uint8Array[] = []
  for (const [token, id] of Object.entries(vocab)) bytes[id] = Uint8Array.from(token, (each) => letters.get(each) ?? 63)
  for (const { id } of added) bytes[id] = new Uint8Array()
  return bytes
}

function languageTokens(added: ReadonlyMap<string, number>): Map<string, number> {
  const found = [...added].flatMap(([content, id]) => {
    const code = /^<\|([a-z]{2,3})\|>$/.exec(content)?.[1]
    return code ? [[code, id] as const] : []
  })
  return new Map(found)
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new LipikError('model_unavailable', `cannot read ${path}`, { cause: error })
  }
}
