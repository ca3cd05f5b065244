import type { Terminal } from '../show-downloads.ts'
import type { RunProgress } from './recording.ts'

const REDRAW_MS = 100
const BAR_CELLS = 20
const MB = 1_000_000

export type RunView = {
  show(change: Partial<RunProgress>): void
  /** Says something above the bar. */
  say(line: string): void
  end(): void
}

const START: RunProgress = {
  sentBytes: 0,
  totalBytes: 0,
  doneFiles: 0,
  failedFiles: 0,
  totalFiles: 0,
  doneChunks: 0,
  totalChunks: 0,
  secondsLeft: undefined,
}

/** One line on a terminal, drawn over and over; nothing where there is none, but for what must be said. */
export function showRun(note: (line: string) => void, terminal: Terminal | null): RunView {
  let progress = START
  let drawnMs = 0
  const erase = () => void terminal?.write('\r\u001b[K')
  const draw = () => terminal?.write(`\r\u001b[K${describeRun(progress).slice(0, (terminal.columns || 80) - 1)}`)
  return {
    show(change) {
      progress = { ...progress, ...change }
      if (performance.now() - drawnMs < REDRAW_MS) return
      drawnMs = performance.now()
      draw()
    },
    say(line) {
      erase()
      note(line)
      draw()
    },
    end: erase,
  }
}

/** `[████░░░░] files 3/12 (1 failed)  sent 12.0 of 45.0 MB  chunks 14/40  1:20 left` */
export function describeRun(progress: RunProgress): string {
  const { sentBytes, totalBytes, doneFiles, failedFiles, totalFiles, doneChunks, totalChunks, secondsLeft } = progress
  const share = shareOf(progress)
  const filled = Math.round(share * BAR_CELLS)
  const parts = [
    `[${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}]`,
    `files ${doneFiles}/${totalFiles}${failedFiles > 0 ? ` (${failedFiles} failed)` : ''}`,
    totalBytes > 0 && sentBytes < totalBytes ? `sent ${megabytes(sentBytes)} of ${megabytes(totalBytes)} MB` : '',
    totalChunks > 0 ? `chunks ${doneChunks}/${totalChunks}` : '',
    secondsLeft === undefined || doneFiles === totalFiles ? '' : `${clock(secondsLeft)} left`,
  ]
  return parts.filter((part) => part !== '').join('  ')
}

/** Sending is the smaller part of the work, and files that are done count most. */
function shareOf({ sentBytes, totalBytes, doneFiles, totalFiles }: RunProgress): number {
  if (totalFiles === 0) return 0
  const sent = totalBytes === 0 ? 0 : sentBytes / totalBytes
  return Math.min(1, totalBytes === 0 ? doneFiles / totalFiles : 0.2 * sent + (0.8 * doneFiles) / totalFiles)
}

const megabytes = (bytes: number): string => (bytes / MB).toFixed(1)

function clock(seconds: number): string {
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
