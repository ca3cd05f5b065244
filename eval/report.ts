import { type Figures, round } from './evaluate.ts'
import { NORMALISER } from './normalise-text.ts'

/** Null when the product has nothing to divide by: no error at all. */
type Ratio = number | null

export type Report = Figures & {
  readonly normaliser: string
  readonly joined?: { readonly seconds: number; readonly wer: number; readonly clips_wer: number }
  readonly baseline?: Figures & { readonly name: string }
  /** How many times better than the baseline; above 1 is better. */
  readonly ratios?: { readonly speed: Ratio; readonly memory: Ratio; readonly wer: Readonly<Record<string, Ratio>> }
}

export function compare(ours: Figures, theirs: Figures): NonNullable<Report['ratios']> {
  const languages = Object.keys(ours.languages).filter((language) => language in theirs.languages)
  const wer = languages.map((language) => [
    language,
    ratio(theirs.languages[language]?.wer ?? 0, ours.languages[language]?.wer ?? 0),
  ])
  return {
    speed: ratio(theirs.rtf, ours.rtf),
    memory: ratio(theirs.peak_memory_mb, ours.peak_memory_mb),
    wer: Object.fromEntries(wer),
  }
}

function ratio(theirs: number, ours: number): Ratio {
  if (ours === theirs) return 1
  return ours === 0 ? null : round(theirs / ours)
}

const times = (better: Ratio) => (better === null ? '∞' : `${better}x`)

export function describeReport(report: Report): string {
  const { joined, baseline, ratios } = report
  const lines = [
    `normaliser ${NORMALISER} (docs/evaluation.md); error rates in percent`,
    ...describeFigures('lipik', report),
  ]
  if (joined) {
    lines.push(`joined recording of ${joined.seconds} s: WER ${joined.wer}, its clips one by one ${joined.clips_wer}`)
  }
  if (baseline) lines.push(...describeFigures(baseline.name, baseline))
  if (ratios) {
    const wer = Object.entries(ratios.wer).map(([language, better]) => `${language} WER ${times(better)}`)
    lines.push(
      `against the baseline: speed ${times(ratios.speed)}, memory ${times(ratios.memory)}, ${wer.join(', ')} (above 1 is better)`,
    )
  }
  return lines.join('\n')
}

function describeFigures(name: string, figures: Figures): string[] {
  const { language_decisions: decisions, faults } = figures
  return [
    '',
    name,
    ...describeRates(figures.languages),
    ...(Object.keys(figures.sets).length > 1 ? describeRates(figures.sets) : []),
    `  language right on ${decisions.right} of ${decisions.clips} clips longer than 2 s (${decisions.accuracy} %)`,
    `  ${figures.audio_seconds} s of speech at ${figures.rtf} of real time, at most ${figures.peak_memory_mb} MB in all processes, ${figures.peak_process_mb} in one`,
    `  ${Object.entries(faults)
      .map(([fault, count]) => `${fault} ${count}`)
      .join(', ')}`,
  ]
}

function describeRates(groups: Figures['languages']): string[] {
  const width = Math.max(...Object.keys(groups).map((name) => name.length))
  return Object.entries(groups).map(
    ([name, { clips, words, wer, cer }]) =>
      `  ${name.padEnd(width)} ${String(clips).padStart(4)} clips ${String(words).padStart(6)} words   WER ${wer.toFixed(2)}   CER ${cer.toFixed(2)}`,
  )
}
