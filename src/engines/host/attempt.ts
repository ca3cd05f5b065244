import { LipikError } from '../../platform/errors.ts'
import type { Outcome } from '../../speech/ports.ts'

/** What came of asking an engine; that somebody gave up is no outcome. */
export async function attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (!(error instanceof LipikError) || error.code === 'cancelled') throw error
    return { ok: false, error }
  }
}
