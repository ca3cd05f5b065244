import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AudioProbe } from '../audio/probe.ts'
import { answerOnce, type OnceAnswer } from '../platform/answer-once.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/schema.ts'
import { isRetryable, LipikError } from '../platform/errors.ts'
import { newId, type UploadBatchId, type UserId } from '../platform/ids.ts'
import { shownName } from './file-name.ts'
import { type AcceptedUpload, insertUpload, type ReceivedFile } from './insert-upload.ts'
import { type Part, readMultipart } from './multipart.ts'
import { diskFull, type Receiving, type Spool } from './spool.ts'

export type UploadLimits = {
  readonly maxFileBytes: number
  readonly maxUploadBytes: number
  readonly maxUploadFiles: number
}

export type ReceiveDeps = {
  readonly db: Kysely<Database>
  readonly spool: Spool
  readonly clock: Clock
  readonly probe: (path: string) => Promise<AudioProbe>
  readonly limits: UploadLimits
  /** New rows are there: the background upload need not wait for its next look. */
  readonly onAccepted: () => void
}

export type UploadRequest = {
  readonly user: UserId
  readonly boundary: string
  readonly body: AsyncIterable<Buffer>
  /** What the request says of its size; undefined when it is sent in chunks. */
  readonly declaredBytes: number | undefined
  readonly idempotencyKey: string | undefined
  /** The client has left: what it sent must not be kept. */
  readonly signal: AbortSignal
}

type Refusal = { readonly path: string; readonly filename: string; readonly message: string }

/** Streams every `files` part to the spool, then accepts all of them in one transaction, or keeps nothing at all. */
export async function receiveUpload(deps: ReceiveDeps, request: UploadRequest): Promise<OnceAnswer<AcceptedUpload>> {
  const { spool, clock, limits } = deps
  const started = clock.monotonicMs()
  if ((request.declaredBytes ?? 0) > limits.maxUploadBytes) throw tooLargeRequest(limits)
  await spool.ensureRoom(request.declaredBytes ?? 0)
  const batch = newId<UploadBatchId>()
  const receiving = await spool.begin(batch)
  try {
    const files = await spoolFiles(deps, receiving, request)
    const spoolSeconds = (clock.monotonicMs() - started) / 1000
    request.signal.throwIfAborted()
    const accepted = await accept(deps, request, { batch, files, spoolSeconds })
    if (accepted.isRepeat) await receiving.discard()
    else receiving.keep()
    deps.onAccepted()
    return accepted
  } catch (error) {
    await receiving.discard()
    throw isDiskFull(error) ? diskFull(error) : error
  }
}

async function spoolFiles(deps: ReceiveDeps, receiving: Receiving, request: UploadRequest): Promise<ReceivedFile[]> {
  const { maxUploadFiles } = deps.limits
  const files: ReceivedFile[] = []
  const refusals: Refusal[] = []
  for await (const part of readMultipart(counted(request.body, deps.limits), request.boundary)) {
    if (!isWanted(part)) continue
    if (files.length + refusals.length >= maxUploadFiles)
      throw new LipikError('invalid_request', `an upload may have at most ${maxUploadFiles} files`)
    const path = `files.${files.length + refusals.length}`
    const filename = shownName(part.filename)
    const received = await spoolOne(deps, receiving, part.body, filename)
    if (received instanceof LipikError) refusals.push({ path, filename, message: received.message })
    else files.push(received)
  }
  if (refusals.length > 0) throw refused(refusals)
  if (files.length === 0) throw new LipikError('invalid_request', 'the upload has no part named "files"')
  return files
}

/** Refusals are returned, not thrown: the client is told of every bad file at once. */
async function spoolOne(
  { spool, limits, probe }: ReceiveDeps,
  receiving: Receiving,
  body: AsyncIterable<Buffer>,
  filename: string,
): Promise<ReceivedFile | LipikError> {
  const spooled = await receiving
    .write(body, limits.maxFileBytes)
    .catch((error: unknown) => throwNamed(error, filename))
  if (spooled.bytes === 0) return new LipikError('audio_empty', 'the file is empty')
  try {
    const { contentType, durationSeconds } = await probe(spool.absolute(spooled.path))
    return { ...spooled, filename, contentType, durationSeconds }
  } catch (error) {
    if (error instanceof LipikError && !isRetryable(error)) return error
    throw error
  }
}

function throwNamed(error: unknown, filename: string): never {
  if (!(error instanceof LipikError) || error.code !== 'too_large') throw error
  throw new LipikError('too_large', `${JSON.stringify(filename)}: ${error.message}`, {
    details: { filename, ...error.details },
  })
}

/** Text fields beside the files mean nothing to us; a file under another name is a mistake worth telling. */
function isWanted(part: Part): part is Part & { filename: string } {
  if (part.filename !== undefined && part.name === 'files') return true
  if (part.filename === undefined && part.name !== 'files') return false
  throw new LipikError('invalid_request', 'every file must be sent as a part named "files" with a file name')
}

async function* counted(body: AsyncIterable<Buffer>, limits: UploadLimits): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > limits.maxUploadBytes) throw tooLargeRequest(limits)
    yield chunk
  }
}

type Received = {
  readonly batch: UploadBatchId
  readonly files: readonly ReceivedFile[]
  readonly spoolSeconds: number
}

const accept = (deps: ReceiveDeps, { user, idempotencyKey }: UploadRequest, received: Received) =>
  deps.db
    .transaction()
    .execute((transaction) =>
      answerOnce(
        transaction,
        { user, scope: 'upload', key: idempotencyKey, fingerprint: fingerprintOf(received.files) },
        () => insertUpload(transaction, { user, spoolId: deps.spool.id, ...received }),
      ),
    )

/** The multipart body itself differs each time by its boundary: the same upload is the same files in the same order. */
function fingerprintOf(files: readonly ReceivedFile[]): string {
  const what = files.map(({ filename, bytes, sha256 }) => [filename, bytes, sha256])
  return createHash('sha256').update(JSON.stringify(what)).digest('hex')
}

const refused = (errors: readonly Refusal[]) => {
  const names = errors.slice(0, 3).map(({ filename, message }) => `${JSON.stringify(filename)}: ${message}`)
  const more = errors.length > names.length ? [`and ${errors.length - names.length} more`] : []
  return new LipikError('invalid_request', `nothing was kept; ${[...names, ...more].join('; ')}`, {
    details: { errors },
  })
}

const tooLargeRequest = ({ maxUploadBytes }: UploadLimits) =>
  new LipikError('too_large', `an upload may have at most ${maxUploadBytes} bytes`, {
    details: { max_upload_bytes: maxUploadBytes },
  })

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
