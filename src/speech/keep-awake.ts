import type { Sleeper, Sleeping } from './ports.ts'

/** A processor core loads one model at a time: more at once would only delay the first. */
const AT_ONCE = 2

/** Makes everything ready that these need, in their order, and keeps it so until the returned function is called. */
export function keepAwake(parts: readonly Sleeping[], atOnce = AT_ONCE): () => void {
  const waiting = sleepersOf(parts)
  const releases: (() => void)[] = []
  let isKept = true
  const takeTurns = async () => {
    for (let next = waiting.shift(); next && isKept; next = waiting.shift()) {
      const { ready, release } = next.keep()
      releases.push(release)
      await ready
    }
  }
  for (let lane = 0; lane < atOnce; lane++) void takeTurns()
  return () => {
    isKept = false
    for (const release of releases.splice(0)) release()
  }
}

export const sleepersOf = (parts: readonly Sleeping[]): Sleeper[] => parts.flatMap(({ sleepers = [] }) => sleepers)
