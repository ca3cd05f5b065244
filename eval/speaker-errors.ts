export type Turn = { readonly startMs: number; readonly endMs: number; readonly speaker: string }

const STEP_MS = 10

/**
 * Of the time in which one person speaks and speech was heard: how much is given to somebody else, under the naming that fits best,
 * and how much would be if all were one.
 */
export function speakerErrors(said: readonly Turn[], heard: readonly Turn[]) {
  const shared = new Map<string, Map<string, number>>()
  const endMs = Math.max(0, ...said.map((turn) => turn.endMs))
  for (let at = STEP_MS / 2; at < endMs; at += STEP_MS) {
    const [who, second] = said.filter(({ startMs, endMs }) => startMs <= at && at < endMs)
    const by = heard.find(({ startMs, endMs }) => startMs <= at && at < endMs)
    if (!who || second || !by) continue
    const row = shared.get(who.speaker) ?? new Map<string, number>()
    row.set(by.speaker, (row.get(by.speaker) ?? 0) + STEP_MS)
    shared.set(who.speaker, row)
  }
  const rows = [...shared.values()]
  const sums = rows.map((row) => [...row.values()].reduce((sum, ms) => sum + ms, 0))
  const totalMs = sums.reduce((sum, ms) => sum + ms, 0)
  return { totalMs, wrongMs: totalMs - bestNaming(rows, new Set()), oneMs: totalMs - Math.max(0, ...sums) }
}

/** The most time that can be right when each heard voice stands for one person at most. */
function bestNaming([first, ...rest]: readonly ReadonlyMap<string, number>[], taken: ReadonlySet<string>): number {
  if (!first) return 0
  const free = [...first].filter(([voice]) => !taken.has(voice))
  const named = free.map(([voice, ms]) => ms + bestNaming(rest, new Set([...taken, voice])))
  return Math.max(bestNaming(rest, taken), ...named)
}
