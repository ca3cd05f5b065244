import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest piece of computing between two turns of the event loop. */
const PIECE_MS = 5

/** To be awaited between the steps of a long computation. */
export type Breathe = () => Promise<void> | undefined

let line: Promise<void> = Promise.resolve()

/**
 * Computing on the event loop in pieces, so that whoever else lives on it is never kept waiting. Those who compute at the same time
 * stand in one line: however many they are, a turn of the loop holds one piece.
 */
export function createBreather(): Breathe {
  let restedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - restedMs < PIECE_MS) return undefined
    line = line.then(() => nextTurn())
    return line.then(() => {
      restedMs = performance.now()
    })
  }
}
