import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Recording } from './recording.ts'

/** How far a recording came in a run: in the service, in a batch, written down. */
export type Step = {
  readonly file_id?: string
  readonly batch_id?: string
  readonly done?: true
  /** Ended badly: the next run begins it anew. */
  readonly failed?: true
}
type Line = Step & { readonly path: string; readonly stamp: string; readonly run: string }

/**
 * What a run has done, a line for each step, so that a run that was broken off goes on where it was. Steps of another service or
 * with other wishes (`run`) do not count, nor those of a file that has changed since.
 */
export class RunLog {
  readonly #file: string | undefined
  readonly #run: string
  readonly #steps = new Map<string, Step>()

  /** Without a file nothing is remembered; a fresh one forgets what was. */
  static async open(file: string | undefined, run: string, isFresh: boolean): Promise<RunLog> {
    const log = new RunLog(file, run)
    if (file === undefined) return log
    await mkdir(dirname(file), { recursive: true })
    if (isFresh) await rm(file, { force: true })
    const text = await readFile(file, 'utf8').catch(() => '')
    for (const line of text.split('\n')) log.#read(line)
    return log
  }

  private constructor(file: string | undefined, run: string) {
    this.#file = file
    this.#run = run
  }

  step({ path, stamp }: Recording): Step {
    return this.#steps.get(`${path}\n${stamp}`) ?? {}
  }

  async write({ path, stamp }: Recording, step: Step): Promise<void> {
    const line: Line = { path, stamp, run: this.#run, ...step }
    this.#merge(line)
    if (this.#file !== undefined) await appendFile(this.#file, `${JSON.stringify(line)}\n`)
  }

  /** A line that was being written when the machine went down is not a line. */
  #read(text: string): void {
    try {
      const line: unknown = JSON.parse(text)
      if (isLine(line) && line.run === this.#run) this.#merge(line)
    } catch {
      return
    }
  }

  #merge({ path, stamp, run: _, ...step }: Line): void {
    const key = `${path}\n${stamp}`
    if (step.failed) this.#steps.delete(key)
    else this.#steps.set(key, { ...this.#steps.get(key), ...step })
  }
}

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  'stamp' in value &&
  'run' in value &&
  typeof value.path === 'string' &&
  typeof value.stamp === 'string'
