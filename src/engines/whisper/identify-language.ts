import type { LanguageScores } from '../../speech/language.ts'
import type { Samples } from '../../speech/ports.ts'
import type { ClipStates, ClipWindow } from './clip-states.ts'
import { shareLanguages } from './share-languages.ts'
import type { WhisperGraph } from './whisper-graph.ts'
import type { WhisperVocabulary } from './whisper-vocabulary.ts'

type Model = { readonly graph: WhisperGraph; readonly vocabulary: WhisperVocabulary; readonly states: ClipStates }

type Question = {
  readonly clips: readonly Samples[]
  readonly allowed: readonly string[]
  /** One cut to the clip is quick; the whole one costs as much as half a minute of speech and tells short clips apart. */
  readonly window: ClipWindow
}

/** Whisper's first step names the language; only the allowed ones compete. */
export async function identifyLanguage(
  { graph, vocabulary, states }: Model,
  { clips, allowed, window }: Question,
  signal: AbortSignal,
): Promise<LanguageScores[]> {
  const scores: LanguageScores[] = []
  for (const samples of clips) {
    if (signal.aborted) throw signal.reason
    const decoder = await graph.startDecoder([await states.of(samples, window)])
    const first = await decoder.step([[graph.tokensOfPlaces.indexOf(vocabulary.start)]])
    scores.push(shareLanguages(heardLanguages(first, graph, vocabulary), allowed))
  }
  return scores
}

/** Probabilities over every language the model knows. */
function heardLanguages(logits: Float32Array, graph: WhisperGraph, vocabulary: WhisperVocabulary): Map<string, number> {
  const found = [...vocabulary.languages].map(([language, token]) => {
    const logit = logits[graph.tokensOfPlaces.indexOf(token)] ?? Number.NEGATIVE_INFINITY
    return [language, logit] as const
  })
  const top = Math.max(...found.map(([, logit]) => logit))
  const weights = found.map(([language, logit]) => [language, Math.exp(logit - top)] as const)
  const sum = weights.reduce((total, [, weight]) => total + weight, 0)
  return new Map(weights.map(([language, weight]) => [language, weight / sum]))
}
