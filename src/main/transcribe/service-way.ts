import type { BatchProgress, FileResult } from '../../../client/src/api-models.ts'
import { LipikApiError } from '../../../client/src/failures.ts'
import { LipikClient } from '../../../client/src/lipik-client.ts'
import type { Format, Outcome, Recording, RunProgress, Way, Wish } from './recording.ts'
import type { RunLog } from './run-log.ts'

export type ServiceOptions = {
  readonly url: string
  readonly token: string
  readonly wish: Wish
  readonly log: RunLog
  readonly signal: AbortSignal
  readonly onRetry: (error: Error, waitMs: number) => void
  /** Counting chunks costs two questions more each time: only where somebody looks. */
  readonly countsChunks: boolean
}

/** While one group is being transcribed the next is sent. */
const GROUP = 20
const UPLOADS_AT_ONCE = 3

type Show = (change: Partial<RunProgress>) => void
type Group = { readonly batchId?: string; readonly members: readonly Recording[] }
type Batch = { readonly batchId: string; readonly files: readonly Stored[] }
type Stored = { readonly recording: Recording; readonly fileId: string }

/** Over a running service. Every step is written to the log, so that a run that was broken off goes on where it was. */
export function openServiceWay(options: ServiceOptions): Way {
  const { url, token, onRetry } = options
  const way = new ServiceWay(new LipikClient({ url, token, onRetry, maxRetries: 8 }), options)
  return { run: (recordings, show) => way.run(recordings, show), close: async () => {} }
}

class ServiceWay {
  readonly #lipik: LipikClient
  readonly #options: ServiceOptions
  readonly #sent = new Map<string, number>()

  constructor(lipik: LipikClient, options: ServiceOptions) {
    this.#lipik = lipik
    this.#options = options
  }

  async *run(recordings: readonly Recording[], show: Show): AsyncGenerator<Outcome> {
    show({ totalBytes: recordings.reduce((sum, { bytes }) => sum + bytes, 0) })
    let transcribing: Promise<Outcome[]> = Promise.resolve([])
    for await (const group of this.#groups(recordings)) {
      const refused: Outcome[] = []
      const batch = await this.#toBatch(group, refused, show)
      yield* refused
      yield* await transcribing
      transcribing = batch ? this.#transcribe(batch, show) : Promise.resolve([])
      // Looked at when its turn comes; a failure before that must not end the process.
      transcribing.catch(() => {})
    }
    yield* await transcribing
  }

  /** What an earlier run had put into a batch is waited for as it is; the rest goes in groups. */
  async *#groups(recordings: readonly Recording[]): AsyncGenerator<Group> {
    const begun = new Map<string, Recording[]>()
    const fresh: Recording[] = []
    for (const recording of recordings) {
      const { batch_id } = this.#options.log.step(recording)
      if (batch_id === undefined) fresh.push(recording)
      else begun.set(batch_id, [...(begun.get(batch_id) ?? []), recording])
    }
    for (const [batchId, members] of begun) {
      if (await this.#exists(batchId)) yield { batchId, members }
      else fresh.push(...members)
    }
    for (let at = 0; at < fresh.length; at += GROUP) yield { members: fresh.slice(at, at + GROUP) }
  }

  async #exists(batchId: string): Promise<boolean> {
    const found = await this.#lipik.batches.status(batchId, this.#options).catch(unlessMissing)
    return found !== undefined
  }

  async #toBatch({ batchId, members }: Group, refused: Outcome[], show: Show): Promise<Batch | undefined> {
    if (batchId !== undefined) {
      for (const recording of members) this.#count(recording, recording.bytes, show)
      return { batchId, files: members.flatMap((recording) => this.#known(recording)) }
    }
    const files = await this.#storeAll(members, refused, show, true)
    // Files that an earlier run had stored may have been deleted since: then all are sent again.
    return (
      (await this.#submit(files).catch(unlessMissing)) ?? this.#submit(await this.#storeAll(members, [], show, false))
    )
  }

  async #submit(files: readonly Stored[]): Promise<Batch | undefined> {
    if (files.length === 0) return undefined
    const { log, wish, signal } = this.#options
    const { language, script } = wish
    const file_ids = files.map(({ fileId }) => fileId)
    const submission = { file_ids, script, ...(language !== undefined && { language }) }
    const { batch_id } = await this.#lipik.batches.submit(submission, { signal })
    for (const { recording } of files) await log.write(recording, { batch_id })
    return { batchId: batch_id, files }
  }

  #known(recording: Recording): Stored[] {
    const fileId = this.#options.log.step(recording).file_id
    return fileId === undefined ? [] : [{ recording, fileId }]
  }

  async #storeAll(members: readonly Recording[], refused: Outcome[], show: Show, mayKnow: boolean): Promise<Stored[]> {
    const waiting = [...members]
    const stored: Stored[] = []
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const recording = next
        const [known] = mayKnow ? this.#known(recording) : []
        if (known) this.#count(recording, recording.bytes, show)
        const fileId =
          known?.fileId ??
          (await this.#store(recording, show).catch((error: unknown) => {
            refused.push({ kind: 'failed', recording, reason: reasonOf(error) })
            this.#count(recording, recording.bytes, show)
          }))
        if (fileId !== undefined) stored.push({ recording, fileId })
      }
    }
    await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, worker))
    return stored
  }

  /** Each file is an upload of its own: a broken one must not keep the others out. */
  async #store(recording: Recording, show: Show): Promise<string> {
    const { log, signal } = this.#options
    const onProgress = ({ sentBytes }: { sentBytes: number }) => this.#count(recording, sentBytes, show)
    const upload = await this.#lipik.files.upload(recording.path, { signal, onProgress })
    const { files } = await this.#lipik.files.waitUntilStored(upload.batch_upload_id, { signal })
    const [file] = files
    if (file?.upload_status !== 'completed') throw new LipikApiError(503, file?.error ?? 'the file was not stored')
    await log.write(recording, { file_id: file.file_id })
    return file.file_id
  }

  #count({ path }: Recording, sentBytes: number, show: Show): void {
    this.#sent.set(path, sentBytes)
    show({ sentBytes: [...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0) })
  }

  async #transcribe({ batchId, files }: Batch, show: Show): Promise<Outcome[]> {
    const { signal } = this.#options
    for await (const progress of this.#lipik.batches.events(batchId, { signal })) {
      show({ secondsLeft: progress.estimated_completion_seconds, ...(await this.#chunks(progress)) })
    }
    const results = new Map<string, FileResult>()
    const query = { speech_information: true }
    for await (const file of this.#lipik.batches.download(batchId, query, signal)) results.set(file.file_id, file)
    return Promise.all(files.map(({ recording, fileId }) => this.#toOutcome(recording, results.get(fileId))))
  }

  /** A service tells chunks by itself only in development mode; counts of jobs are there for everybody. */
  async #chunks({ batch_id, total_files }: BatchProgress): Promise<Partial<RunProgress>> {
    if (!this.#options.countsChunks) return {}
    const count = async (query: { status?: 'completed' }) =>
      (await this.#lipik.batches.jobsPage(batch_id, { ...query, limit: 1 }, this.#options.signal)).total_jobs
    const [all, done] = await Promise.all([count({}), count({ status: 'completed' })])
    return { doneChunks: Math.min(done, all - total_files), totalChunks: all - total_files }
  }

  async #toOutcome(recording: Recording, file: FileResult | undefined): Promise<Outcome> {
    const faults = (file?.errors ?? []).map(({ message, chunk_index }) =>
      chunk_index === null ? message : `chunk ${chunk_index}: ${message}`,
    )
    if (!file?.result) return { kind: 'failed', recording, reason: faults[0] ?? 'the service has no result of it' }
    const { wish, signal } = this.#options
    const texts: Partial<Record<Format, string>> = {}
    for (const format of wish.formats)
      texts[format] =
        format === 'json'
          ? `${JSON.stringify(file.result, null, 2)}\n`
          : await this.#lipik.results.transcript(file.file_id, format, { signal })
    const ids = { file_id: file.file_id, batch_id: file.batch_id }
    return { kind: 'transcribed', recording, texts, result: file.result, faults, ids }
  }
}

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof LipikApiError && error.status === 404) return undefined
  throw error
}

/** About this file alone; what concerns the service or the token ends the run. */
function reasonOf(error: unknown): string {
  const isRefusal = error instanceof LipikApiError && REFUSALS.has(error.status)
  if (!isRefusal && !(error instanceof Error && 'syscall' in error)) throw error
  return isRefusal ? detailOf(error) : error.message
}

const REFUSALS = new Set([400, 413, 503])

/** A refused upload names each of its files; here it has one. */
function detailOf({ detail, message }: LipikApiError): string {
  if (typeof detail === 'string' || !Array.isArray(detail.errors)) return message
  const [first]: unknown[] = detail.errors
  return typeof first === 'object' && first !== null && 'message' in first ? String(first.message) : message
}
