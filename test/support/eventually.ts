import { setTimeout as delay } from 'node:timers/promises'

const PATIENCE_MS = 20_000

/** Asks again until the answer is what is waited for; a wait without end fails with the last answer. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isDone: (answer: T) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (isDone(answer)) return answer
    if (performance.now() > deadline)
      throw new Error(`waited in vain; last seen: ${JSON.stringify(answer)?.slice(0, 500)}`)
    await delay(20)
  }
}
