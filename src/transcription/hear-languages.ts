import type { Language, LanguageScores } from '../speech/language.ts'
import type { LanguageIdentifier, Samples } from '../speech/ports.ts'
import { type HeardChunk, smoothScores } from './choose-language.ts'

type Cut = {
  readonly samples: Samples
  readonly startMs: number
  readonly endMs: number
  /** Already known: nothing is spoken in it. */
  readonly languageScores?: LanguageScores
}
export type WithLanguage<C> = C & { readonly languageScores: LanguageScores }

/**
 * Adds to each chunk of a file what its language may be, leaning on the chunk before and the one after.
 * Reads one chunk ahead and no further, so that a file of any length passes in the memory of three chunks. What is there for
 * its sound alone has no language; the speech before it waits for nobody behind it.
 */
export async function* hearLanguages<C extends Cut>(
  chunks: AsyncIterable<C>,
  identifier: LanguageIdentifier,
  languages: readonly Language[],
  signal?: AbortSignal,
): AsyncGenerator<WithLanguage<C>> {
  let before: HeardChunk | undefined
  let here: { chunk: C; heard: HeardChunk } | undefined
  for await (const chunk of chunks) {
    const { languageScores } = chunk
    if (languageScores) {
      if (here) yield withLanguage(here.chunk, here.heard, [before])
      before = here?.heard ?? before
      here = undefined
      yield { ...chunk, languageScores }
      continue
    }
    const next = { chunk, heard: await hear(chunk, identifier, languages, signal) }
    if (here) yield withLanguage(here.chunk, here.heard, [before, next.heard])
    before = here?.heard ?? before
    here = next
  }
  if (here) yield withLanguage(here.chunk, here.heard, [before])
}

async function hear(chunk: Cut, identifier: LanguageIdentifier, languages: readonly Language[], signal?: AbortSignal) {
  const [only] = languages
  const scores =
    languages.length === 1 && only !== undefined
      ? { [only]: 1 }
      : ((await identifier.identify([chunk.samples], languages, signal))[0] ?? {})
  return { scores, speechMs: chunk.endMs - chunk.startMs }
}

function withLanguage<C extends Cut>(chunk: C, heard: HeardChunk, around: readonly (HeardChunk | undefined)[]) {
  const neighbours = around.filter((each) => each !== undefined)
  return { ...chunk, languageScores: smoothScores(heard, neighbours) }
}
