/**
 * Longest time the event loop was busy in one piece while `work` ran, in milliseconds. A pause counts as far as this process
 * used the processor in it: on a crowded machine it also waits for its turn, which is nobody's fault here.
 */
export async function longestLoopWork(work: () => Promise<void>): Promise<number> {
  const now = () => ({ wallMs: performance.now(), cpuMs: cpuMs() })
  let [longest, last] = [0, now()]
  const measure = () => {
    const next = now()
    longest = Math.max(longest, Math.min(next.wallMs - last.wallMs, next.cpuMs - last.cpuMs))
    last = next
  }
  const tick = setInterval(measure, 1)
  try {
    await work()
    // Work that never let go of the loop was in no tick.
    measure()
  } finally {
    clearInterval(tick)
  }
  return longest
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
