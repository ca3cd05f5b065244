import type { Samples } from '../../speech/ports.ts'
import { type CaptionScores, CaptionTree } from './caption-tree.ts'
import type { ClipStates } from './clip-states.ts'
import type { WhisperGraph } from './whisper-graph.ts'
import type { WhisperVocabulary } from './whisper-vocabulary.ts'

/** Which stretch the model is shown, and whether it is told of captions before. */
export type CaptionAsk = { readonly window: 'short' | 'whole'; readonly isPrimed: boolean }

/** How the model would caption the sound of clips. */
export class ClipCaptioner {
  readonly #graph: WhisperGraph
  readonly #states: ClipStates
  readonly #plain: CaptionTree
  readonly #primed: CaptionTree

  constructor(graph: WhisperGraph, vocabulary: WhisperVocabulary, states: ClipStates) {
    this.#graph = graph
    this.#states = states
    this.#plain = new CaptionTree(vocabulary, graph.tokensOfPlaces, false)
    this.#primed = new CaptionTree(vocabulary, graph.tokensOfPlaces, true)
  }

  async caption(clips: readonly Samples[], { window, isPrimed }: CaptionAsk, signal: AbortSignal) {
    const tree = isPrimed ? this.#primed : this.#plain
    const scores: CaptionScores[] = []
    for (const samples of clips) {
      if (signal.aborted) throw signal.reason
      const decoder = await this.#graph.startDecoder([await this.#states.of(samples, window)])
      scores.push(tree.read(await decoder.branch([tree.branches])))
    }
    return scores
  }
}
