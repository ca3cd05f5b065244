import type { Language, LanguageScores } from '../speech/language.ts'
import { CARES, type Care, type LanguageIdentifier, type Samples } from '../speech/ports.ts'
import { type HeardChunk, isDoubtful, smoothScores } from './choose-language.ts'

type Cut = {
  readonly samples: Samples
  readonly startMs: number
  readonly endMs: number
  /** Already known: nothing is spoken in it. */
  readonly languageScores?: LanguageScores
}
const [QUICK, ...MORE_CARE] = CARES

export type WithLanguage<C> = C & { readonly languageScores: LanguageScores }

/**
 * Adds to each chunk of a file what its language may be, leaning on the chunk before and the one after.
 * Reads two chunks ahead and no further, so that a file of any length passes in the memory of four chunks. What is there for
 * its sound alone has no language; the speech before it waits for nobody behind it.
 */
export async function* hearLanguages<C extends Cut>(
  chunks: AsyncIterable<C>,
  identifier: LanguageIdentifier,
  languages: readonly Language[],
  signal?: AbortSignal,
): AsyncGenerator<WithLanguage<C>> {
  const identify = async ({ samples }: Cut, care: Care): Promise<LanguageScores> => {
    const [only] = languages
    if (languages.length === 1 && only !== undefined) return { [only]: 1 }
    const [scores = {}] = await identifier.identify([samples], languages, { signal, care })
    return scores
  }
  const hear = async (chunk: C, care: Care): Promise<HeardChunk> => ({
    scores: await identify(chunk, care),
    speechMs: chunk.endMs - chunk.startMs,
  })
  /** What its neighbours leave in doubt is heard again with more care. */
  const settle = async (chunk: C, heard: HeardChunk, around: readonly (HeardChunk | undefined)[]) => {
    const neighbours = around.filter((each) => each !== undefined)
    let languageScores = smoothScores(heard, neighbours)
    for (const care of MORE_CARE) {
      if (!isDoubtful(languageScores)) break
      languageScores = smoothScores(await hear(chunk, care), neighbours)
    }
    return { ...chunk, languageScores }
  }

  let before: HeardChunk | undefined
  let here: { chunk: C; heard: HeardChunk } | undefined
  for await (const chunk of oneAhead(chunks)) {
    const { languageScores } = chunk
    if (languageScores) {
      if (here) yield settle(here.chunk, here.heard, [before])
      before = here?.heard ?? before
      here = undefined
      yield { ...chunk, languageScores }
      continue
    }
    const next = { chunk, heard: await hear(chunk, QUICK) }
    if (here) yield settle(here.chunk, here.heard, [before, next.heard])
    before = here?.heard ?? before
    here = next
  }
  if (here) yield settle(here.chunk, here.heard, [before])
}

/** The next chunk is cut while this one is heard: both take a core. */
async function* oneAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const source = items[Symbol.asyncIterator]()
  let next = source.next()
  try {
    for (let item = await next; !item.done; item = await next) {
      next = source.next()
      // Whoever stops here never asks for it; its failure is then nobody's.
      next.catch(() => undefined)
      yield item.value
    }
  } finally {
    await source.return?.()
  }
}
