import type { LanguageScores } from '../../speech/language.ts'
import type { Samples } from '../../speech/ports.ts'
import type { ClipStates } from './clip-states.ts'
import { shareLanguages } from './share-languages.ts'
import type { WhisperGraph } from './whisper-graph.ts'
import type { WhisperVocabulary } from './whisper-vocabulary.ts'

type Model = { readonly graph: WhisperGraph; readonly vocabulary: WhisperVocabulary; readonly states: ClipStates }

/** A language that leads by less is in doubt; English must lead by more, since short Hindi is taken for it easily. */
const SURE = 0.85
const SURE_OF_ENGLISH = 0.97

/**
 * Whisper's first step names the language; only the allowed ones compete. A window cut to the clip is quick and nearly
 * always enough. What is in doubt there is asked again in the whole window, which costs as much as half a minute of
 * speech and tells English of a second or two from Hindi.
 */
export async function identifyLanguage(
  { graph, vocabulary, states }: Model,
  clips: readonly Samples[],
  allowed: readonly string[],
  signal: AbortSignal,
): Promise<LanguageScores[]> {
  const scores: LanguageScores[] = []
  for (const samples of clips) {
    if (signal.aborted) throw signal.reason
    const quick = await hearIn('short', samples)
    scores.push(isDoubtful(quick) ? await hearIn('whole', samples) : quick)
  }
  return scores

  async function hearIn(window: 'short' | 'whole', samples: Samples): Promise<LanguageScores> {
    const decoder = await graph.startDecoder([await states.of(samples, window)])
    const first = await decoder.step([[graph.tokensOfPlaces.indexOf(vocabulary.start)]])
    return shareLanguages(heardLanguages(first, graph, vocabulary), allowed)
  }
}

function isDoubtful(scores: LanguageScores): boolean {
  const [language, score] = Object.entries(scores).reduce((best, each) => (each[1] > best[1] ? each : best))
  return score < (language === 'en' ? SURE_OF_ENGLISH : SURE)
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
