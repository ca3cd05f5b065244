import { countErrors, percentage } from './error-rates.ts'
import { evaluate, type Figures, round } from './evaluate.ts'
import { joinClips } from './make-recordings.ts'
import type { Clip } from './read-manifest.ts'
import type { System } from './system.ts'

export type JoinedFigures = {
  readonly language: string
  readonly seconds: number
  readonly wer: number
  /** Word error rate of the same clips one by one: what is more than this was lost at the seams. */
  readonly clips_wer: number
  readonly rtf: number
  readonly peak_memory_mb: number
  readonly faults: Figures['faults']
}

/** How a long recording fares against the clips it was made of. `alone`: do not hear the clips one by one. */
export async function compareJoined(
  system: System,
  clips: readonly Clip[],
  minutes: number,
  folder: string,
  { alone = false } = {},
): Promise<JoinedFigures> {
  const { long, parts } = await joinClips(clips, minutes, folder)
  const { outcomes, figures } = await evaluate(system, [long])
  const errors = countErrors(long.transcript, outcomes[0]?.text ?? '', long.language)
  return {
    language: long.language,
    seconds: round(long.durationSeconds),
    wer: percentage(errors.wordErrors, errors.words),
    clips_wer: alone ? Number.NaN : await clipsRate(system, parts),
    rtf: figures.rtf,
    peak_memory_mb: figures.peak_memory_mb,
    faults: figures.faults,
  }
}

/** A clip that was joined several times is heard once and counted as often. */
async function clipsRate(system: System, parts: readonly Clip[]): Promise<number> {
  const { outcomes } = await evaluate(system, [...new Set(parts)])
  const heard = new Map(outcomes.map(({ clip, text }) => [clip, text]))
  const each = parts.map((clip) => countErrors(clip.transcript, heard.get(clip) ?? '', clip.language))
  const total = (field: 'wordErrors' | 'words') => each.reduce((sum, errors) => sum + errors[field], 0)
  return percentage(total('wordErrors'), total('words'))
}
