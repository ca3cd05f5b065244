import { countErrors, percentage } from './error-rates.ts'
import { evaluate } from './evaluate.ts'
import type { Clip } from './read-manifest.ts'
import type { System } from './system.ts'

/**
 * Word error rate of the clips a long recording was made of, one by one: what the recording has more than this was lost at
 * its seams. A clip that was joined several times is heard once and counted as often.
 */
export async function clipsErrorRate(system: System, parts: readonly Clip[]): Promise<number> {
  const { outcomes } = await evaluate(system, [...new Set(parts)])
  const heard = new Map(outcomes.map(({ clip, text }) => [clip, text]))
  const each = parts.map((clip) => countErrors(clip.transcript, heard.get(clip) ?? '', clip.language))
  const total = (field: 'wordErrors' | 'words') => each.reduce((sum, errors) => sum + errors[field], 0)
  return percentage(total('wordErrors'), total('words'))
}
