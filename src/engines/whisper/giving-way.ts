import type { WhisperGraph } from './whisper-graph.ts'

/** The same networks for work that may wait: asked before every step, so that a live clip never waits for a whole batch. */
export const givingWay = (graph: WhisperGraph, giveWay: () => Promise<void>): WhisperGraph => ({
  ...graph,
  async encode(mel, frames) {
    await giveWay()
    return graph.encode(mel, frames)
  },
  async startDecoder(states) {
    await giveWay()
    const decoder = await graph.startDecoder(states)
    return {
      async step(places) {
        await giveWay()
        return decoder.step(places)
      },
      async branch(rows) {
        await giveWay()
        return decoder.branch(rows)
      },
      drop: (row) => decoder.drop(row),
      attention: (row, entries, states) => decoder.attention(row, entries, states),
    }
  },
})
