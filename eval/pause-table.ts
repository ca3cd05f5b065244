import { joinSounds } from '../scripts/shape-sound.ts'
import type { Samples } from '../src/speech/ports.ts'
import { hearFile, type Listener } from './hear-file.ts'
import { linesOf } from './made-conversations.ts'
import { lengthMs, type Speak, silence } from './speak-lines.ts'
import type { Table } from './speech-information.ts'

/** Half of them a pause at the default of 1.5 s; none so near to it that the ends of words decide. */
const GAPS_MS = [300, 1800, 900, 2600, 1200, 1700, 600, 4000, 1300, 2000]
const SPEAKERS = [
  { language: 'hi', voice: 'ananya' },
  { language: 'en', voice: 'neel' },
  { language: 'hi', voice: 'arjun' },
  { language: 'en', voice: 'tara' },
] as const
/** How far a tag may lie from its gap. */
const NEAR_MS = 250

/** `pause` on speech put together with gaps of known length. */
export async function pauseTable(listener: Listener, speak: Speak, limit: number = SPEAKERS.length): Promise<Table> {
  const least = listener.config.PAUSE_TAG_SECONDS * 1000
  const counts = { right: 0, heard: 0, said: 0 }
  let furthest = 0
  for (const { language, voice } of SPEAKERS.slice(0, limit)) {
    const { samples, gaps } = await speakWithGaps(speak, linesOf(language, voice), voice)
    const pauses = gaps.filter(({ startMs, endMs }) => endMs - startMs >= least)
    const { segments } = await hearFile(listener, samples)
    const tags = segments.flatMap((segment) => segment.tags.filter(({ tag }) => tag === 'pause'))
    const offBy = (pause: Gap) =>
      Math.min(...tags.map((tag) => Math.max(Math.abs(tag.startMs - pause.startMs), Math.abs(tag.endMs - pause.endMs))))
    const found = pauses.map(offBy).filter((ms) => ms <= NEAR_MS)
    furthest = Math.max(furthest, ...found)
    counts.right += found.length
    counts.heard += tags.length
    counts.said += pauses.length
  }
  const [precision, recall] = [counts.right / Math.max(1, counts.heard), counts.right / Math.max(1, counts.said)]
  const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall)
  const line = `pause     precision ${precision.toFixed(2)}   recall ${recall.toFixed(2)} of ${counts.said}   F1 ${f1.toFixed(2)}   times off by at most ${Math.round(furthest)} ms`
  return {
    name: 'pauses',
    lines: [line],
    figures: { precision, recall, f1, pauses: counts.said, furthest_ms: furthest },
  }
}

type Gap = { readonly startMs: number; readonly endMs: number }

async function speakWithGaps(speak: Speak, lines: readonly string[], voice: string) {
  const parts: Samples[] = [silence(400)]
  const gaps: Gap[] = []
  let atMs = 400
  for (const [nth, gapMs] of [...GAPS_MS, 0].entries()) {
    const said = await speak(lines[nth % lines.length] ?? '', voice)
    atMs += lengthMs(said)
    if (gapMs > 0) gaps.push({ startMs: atMs, endMs: atMs + gapMs })
    parts.push(said, silence(gapMs))
    atMs += gapMs
  }
  return { samples: joinSounds([...parts, silence(400)]), gaps }
}
