import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Outcome, Recording, Transcribed, Way } from './recording.ts'
import type { RunLog } from './run-log.ts'
import type { RunView } from './show-run.ts'

export type Run = {
  readonly way: Way
  readonly log: RunLog
  readonly view: RunView
  /** Undefined: transcripts go to standard output. */
  readonly out: string | undefined
  /** One JSON object a line for each recording, for scripts. */
  readonly asJson: boolean
  readonly print: (line: string) => void
  /** On a terminal a person wants to see what became of each file; a log wants only what went wrong. */
  readonly isTalkative: boolean
}

/** How many recordings could not be transcribed, or not all of one. */
export async function runTranscription(recordings: readonly Recording[], run: Run): Promise<number> {
  const pending = recordings.filter((recording) => run.log.step(recording).done !== true)
  const tally = { doneFiles: recordings.length - pending.length, failedFiles: 0, totalFiles: recordings.length }
  for (const recording of recordings) if (!pending.includes(recording)) tellSkipped(recording, run)
  run.view.show(tally)
  for await (const outcome of pending.length === 0 ? [] : run.way.run(pending, run.view.show)) {
    const isWhole = await settle(outcome, run)
    tally.doneFiles++
    if (!isWhole) tally.failedFiles++
    run.view.show(tally)
  }
  return tally.failedFiles
}

/** A partial transcript is written all the same; the next run makes it anew. */
async function settle(outcome: Outcome, run: Run): Promise<boolean> {
  const { recording } = outcome
  if (outcome.kind === 'failed') {
    await run.log.write(recording, { failed: true })
    run.view.say(`${recording.label}: ${outcome.reason}`)
    if (run.asJson) run.print(JSON.stringify({ file: recording.label, status: 'failed', error: outcome.reason }))
    return false
  }
  const isWhole = outcome.faults.length === 0
  const outputs = run.out === undefined ? [] : await writeOutputs(run.out, outcome)
  await run.log.write(recording, isWhole ? { done: true } : { failed: true })
  for (const fault of outcome.faults) run.view.say(`${recording.label}: ${fault}`)
  if (run.isTalkative && outputs.length > 0) run.view.say(`${recording.label} → ${outputs.join(', ')}`)
  if (run.asJson) run.print(JSON.stringify(toLine(outcome, outputs)))
  else if (run.out === undefined) for (const text of Object.values(outcome.texts)) run.print(text.trimEnd())
  return isWhole
}

const toLine = ({ recording, faults, result, ids }: Transcribed, outputs: readonly string[]) => ({
  file: recording.label,
  status: faults.length === 0 ? 'completed' : 'partial',
  ...(faults.length > 0 && { errors: faults }),
  ...ids,
  ...(outputs.length > 0 ? { outputs } : { result }),
})

function tellSkipped(recording: Recording, { asJson, isTalkative, print, view }: Run): void {
  if (asJson) print(JSON.stringify({ file: recording.label, status: 'done_before' }))
  if (isTalkative) view.say(`${recording.label}: done before`)
}

async function writeOutputs(out: string, { recording, texts }: Transcribed): Promise<string[]> {
  const outputs: string[] = []
  for (const [format, text] of Object.entries(texts)) {
    const target = join(out, `${recording.target}.${format}`)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
    outputs.push(target)
  }
  return outputs
}
