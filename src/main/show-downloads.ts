import { stderr } from 'node:process'
import type { ModelProgress } from '../models/ensure-models.ts'

const MB = 1_000_000
const REDRAW_MS = 100
const BAR_CELLS = 30

/** A screen whose last line can be written over. */
export type Terminal = { readonly columns?: number; write(text: string): unknown }

/** Tells a person how far the downloads are: a bar on a terminal, a few quiet lines in a log. */
export function showDownloads(
  note: (line: string) => void,
  terminal: Terminal | null = stderr.isTTY ? stderr : null,
): (progress: ModelProgress) => void {
  const amount = terminal ? drawBar(terminal) : sayQuarters(note)
  return (progress) => {
    if (progress.step === 'bytes') return amount(progress)
    terminal?.write('\r\u001b[K')
    note(describe(progress))
  }
}

type Bytes = Extract<ModelProgress, { step: 'bytes' }>

function describe(progress: Exclude<ModelProgress, Bytes>): string {
  switch (progress.step) {
    case 'waiting':
      return `process ${progress.holderPid} is fetching models: waiting for it`
    case 'fetching':
      return `fetching ${progress.model} from ${progress.source}`
    case 'failed':
      return `  ${progress.source} failed: ${progress.reason}`
    case 'ready':
      return `  ${progress.model} is ready (${megabytes(progress.bytes)})`
  }
}

function drawBar(terminal: Terminal): (progress: Bytes) => void {
  let drawnMs = 0
  const rate = measureRate()
  return ({ model, doneBytes, totalBytes }) => {
    const speed = rate(model, doneBytes)
    const isWhole = doneBytes === totalBytes
    if (Date.now() - drawnMs < REDRAW_MS && !isWhole) return
    drawnMs = Date.now()
    const share = totalBytes ? doneBytes / totalBytes : 0
    const filled = Math.round(share * BAR_CELLS)
    const bar = totalBytes ? `[${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}] ${percent(share)} ` : ''
    const line = `  ${bar}${megabytes(doneBytes)}${totalBytes ? ` of ${megabytes(totalBytes)}` : ''}, ${megabytes(speed)}/s`
    terminal.write(`\r\u001b[K${line.slice(0, (terminal.columns ?? 80) - 1)}`)
  }
}

/** Bytes per second since the model's download began in this process; what was here before does not count. */
function measureRate(): (model: string, doneBytes: number) => number {
  let first: { model: string; bytes: number; ms: number } | undefined
  return (model, doneBytes) => {
    if (first?.model !== model || doneBytes < first.bytes) first = { model, bytes: doneBytes, ms: Date.now() }
    return ((doneBytes - first.bytes) * 1_000) / Math.max(1, Date.now() - first.ms)
  }
}

function sayQuarters(note: (line: string) => void): (progress: Bytes) => void {
  let said = { model: '', quarters: 0 }
  return ({ model, doneBytes, totalBytes }) => {
    const share = totalBytes ? doneBytes / totalBytes : 0
    const quarters = Math.floor(share * 4)
    if (said.model !== model || quarters < said.quarters) said = { model, quarters: 0 }
    if (!totalBytes || quarters === said.quarters) return
    said = { model, quarters }
    note(`  ${percent(share)} of ${megabytes(totalBytes)}`)
  }
}

const megabytes = (bytes: number) => `${(bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0)} MB`
const percent = (share: number) => `${Math.floor(share * 100)} %`
