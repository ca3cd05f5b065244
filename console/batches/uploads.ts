import { signal } from '@preact/signals'
import type { Submission } from '../../client/src/index.ts'
import { explain, lipik } from '../shared/session.ts'

export type FileState = 'waiting' | 'sending' | 'storing' | 'done' | 'failed'
export type UploadedFile = {
  readonly name: string
  readonly size: number
  readonly state: FileState
  readonly sentBytes: number
  readonly why?: string
}
export type Upload = {
  readonly id: number
  readonly files: readonly UploadedFile[]
  /** Undefined until every file is through and the batch is submitted. */
  readonly batchId?: string
  readonly why?: string
  readonly isOver: boolean
  stop(): void
}

export type Wishes = Pick<Submission, 'language' | 'script'>

/** Each file travels by itself, so that a broken one does not keep the others back. */
const AT_ONCE = 3

export const uploads = signal<readonly Upload[]>([])

const change = (id: number, part: Partial<Upload>) => {
  uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...part } : each))
}

function changeFile(id: number, at: number, part: Partial<UploadedFile>): void {
  const files = uploads.value.find((each) => each.id === id)?.files
  if (files) change(id, { files: files.map((file, index) => (index === at ? { ...file, ...part } : file)) })
}

export const dismiss = (id: number): void => {
  uploads.value = uploads.value.filter((each) => each.id !== id)
}

let last = 0

/** Sends files and submits those that arrived as one batch; `uploads` tells how far it is. */
export async function upload(files: readonly File[], wishes: Wishes): Promise<void> {
  const stopping = new AbortController()
  const id = ++last
  const waiting = files.map(({ name, size }) => ({ name, size, state: 'waiting' as const, sentBytes: 0 }))
  uploads.value = [{ id, files: waiting, isOver: false, stop: () => stopping.abort() }, ...uploads.value]
  const arrived: (string | undefined)[] = []
  const queue = files.entries()
  const lane = async () => {
    for (const [at, file] of queue) arrived[at] = await sendOne(id, at, file, stopping.signal)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const fileIds = arrived.filter((each) => each !== undefined)
  if (fileIds.length === 0 || stopping.signal.aborted) return change(id, { isOver: true })
  try {
    const { batch_id } = await lipik.batches.submit({ file_ids: fileIds, ...wishes })
    change(id, { batchId: batch_id, isOver: true })
  } catch (error) {
    change(id, { why: explain(error), isOver: true })
  }
}

/** The id of the stored file; undefined when it failed. */
async function sendOne(id: number, at: number, file: File, signal: AbortSignal): Promise<string | undefined> {
  try {
    signal.throwIfAborted()
    changeFile(id, at, { state: 'sending' })
    const onProgress = ({ sentBytes }: { sentBytes: number }) => changeFile(id, at, { sentBytes })
    const { batch_upload_id } = await lipik.files.upload(file, { onProgress, signal })
    changeFile(id, at, { state: 'storing', sentBytes: file.size })
    const { files } = await lipik.files.waitUntilStored(batch_upload_id, { signal })
    const [stored] = files
    if (stored?.upload_status !== 'completed') throw new Error(stored?.error ?? 'not stored')
    changeFile(id, at, { state: 'done' })
    return stored.file_id
  } catch (error) {
    changeFile(id, at, { state: 'failed', why: explain(error) })
    return undefined
  }
}
