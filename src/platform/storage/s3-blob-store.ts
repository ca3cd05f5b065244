import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { LipikError } from '../errors.ts'
import { checkBlobKey } from './blob-key.ts'
import type { BlobStore } from './blob-store.ts'
import { checkByRoundTrip } from './check-by-round-trip.ts'
import { MeasuredBody } from './measured-body.ts'
import { readStream } from './read-stream.ts'
import { type Part, splitIntoParts } from './split-into-parts.ts'

/** S3 allows 10,000 parts: 8 MiB carries 80 GB, and one part is all a writer holds in memory. */
const PART_BYTES = 8 * 1024 * 1024

export type S3Settings = {
  readonly bucket: string
  /** Put before every key; empty, or ends with a slash. */
  readonly prefix: string
  readonly region: string
  /** For servers that speak S3 but are not Amazon's. */
  readonly endpoint?: string | undefined
  readonly pathStyle: boolean
  /** Absent: the SDK's own chain (environment, instance role, profile). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

type Target = { readonly client: S3Client; readonly Bucket: string; readonly Key: string }
type PartReceipt = { readonly PartNumber: number; readonly ETag: string }

export function createS3BlobStore(settings: S3Settings): BlobStore {
  const client = new S3Client(clientConfig(settings))
  const at = (key: string): Target => ({
    client,
    Bucket: settings.bucket,
    Key: settings.prefix + checkBlobKey(key),
  })
  const store: BlobStore = {
    async put(key, body, signal) {
      const measured = new MeasuredBody(body, signal)
      try {
        await putInParts(at(key), measured, signal)
      } catch (error) {
        throw measured.blame(error, (each) => asStorageError(each, key))
      }
      return measured.digest()
    },
    async get(key, signal, range) {
      const { client, ...object } = at(key)
      const part = range && { Range: `bytes=${range.first}-${range.last}` }
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...object, ...part }), abortable(signal))
        // In Node the SDK's body is always a Readable; its type also covers browsers.
        return await readStream(Body as Readable, signal)
      } catch (error) {
        throw signal?.aborted ? signal.reason : asStorageError(error, key)
      }
    },
    async head(key) {
      const found = await headOf(at(key)).catch((error: unknown) => undefinedIfMissing(error, key))
      return found && { bytes: found.bytes }
    },
    async delete(key) {
      const existed = (await store.head(key)) !== undefined
      const { client, ...object } = at(key)
      if (existed)
        await client.send(new DeleteObjectCommand(object)).catch((error: unknown) => undefinedIfMissing(error, key))
      return existed
    },
    async *list(prefix) {
      const query = { Bucket: settings.bucket, Prefix: settings.prefix + prefix }
      try {
        for await (const page of paginateListObjectsV2({ client }, query))
          for (const { Key } of page.Contents ?? []) if (Key) yield Key.slice(settings.prefix.length)
      } catch (error) {
        throw asStorageError(error, prefix)
      }
    },
    check: () => checkByRoundTrip(store),
    close: async () => client.destroy(),
  }
  return store
}

const clientConfig = ({ region, endpoint, pathStyle, credentials }: S3Settings): S3ClientConfig => ({
  region,
  forcePathStyle: pathStyle,
  // Every part carries Content-MD5, which all S3 servers know; the SDK's newer trailers many of them refuse.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  ...(endpoint ? { endpoint } : {}),
  ...(credentials ? { credentials } : {}),
})

const abortable = (signal?: AbortSignal) => (signal ? { abortSignal: signal } : {})

async function putInParts(target: Target, body: MeasuredBody, signal?: AbortSignal): Promise<void> {
  const parts = splitIntoParts(body, PART_BYTES)
  const first = (await parts.next()).value
  if (!first) throw new Error('a body always has a first part')
  if (first.isLast) await putWhole(target, first, signal)
  else await putMultipart(target, first, parts, signal)
  await confirmSize(target, body.bytes)
}

async function putWhole({ client, ...object }: Target, part: Part, signal?: AbortSignal): Promise<void> {
  const command = new PutObjectCommand({
    ...object,
    Body: part.bytes,
    ContentMD5: md5Of(part.bytes).toString('base64'),
  })
  const answer = await client.send(command, abortable(signal))
  if (isAcknowledged(part, answer)) return
  await client.send(new DeleteObjectCommand(object))
  throw new LipikError('storage_unavailable', 'storage acknowledged other bytes than were sent')
}

async function putMultipart(target: Target, first: Part, more: AsyncIterable<Part>, signal?: AbortSignal) {
  const { client, ...object } = target
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object), abortable(signal))
  const upload = { ...object, UploadId }
  try {
    const receipts = [await putPart(target, UploadId, first, signal)]
    for await (const part of more) receipts.push(await putPart(target, UploadId, part, signal))
    signal?.throwIfAborted()
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: receipts } }))
  } catch (error) {
    // Parts of an upload that nobody finishes are invisible but paid for; docs/storage.md has a rule for the rest.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    throw error
  }
}

async function putPart(
  { client, ...object }: Target,
  UploadId: string | undefined,
  part: Part,
  signal?: AbortSignal,
): Promise<PartReceipt> {
  const ContentMD5 = md5Of(part.bytes).toString('base64')
  const command = new UploadPartCommand({ ...object, UploadId, PartNumber: part.number, Body: part.bytes, ContentMD5 })
  const answer = await client.send(command, abortable(signal))
  if (!answer.ETag || !isAcknowledged(part, answer))
    throw new LipikError('storage_unavailable', 'storage acknowledged other bytes than were sent')
  return { PartNumber: part.number, ETag: answer.ETag }
}

type Answer = { readonly ETag?: string | undefined; readonly ServerSideEncryption?: string | undefined }

/** The ETag of plainly stored bytes is their MD5; with keys of a key service it is something else and says nothing. */
function isAcknowledged({ bytes }: Part, { ETag = '', ServerSideEncryption = '' }: Answer): boolean {
  const tag = ETag.replaceAll('"', '')
  if (ServerSideEncryption.startsWith('aws:kms') || !/^[0-9a-f]{32}$/.test(tag)) return true
  return tag === md5Of(bytes).toString('hex')
}

const md5Of = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest()

async function confirmSize(target: Target, bytes: number): Promise<void> {
  const stored = await headOf(target)
  if (stored.bytes !== bytes) throw new LipikError('storage_unavailable', 'storage holds another size than was sent')
}

async function headOf({ client, ...object }: Target): Promise<{ bytes: number }> {
  const { ContentLength = 0 } = await client.send(new HeadObjectCommand(object))
  return { bytes: ContentLength }
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound')

function asStorageError(error: unknown, key: string): LipikError {
  if (error instanceof LipikError) return error
  if (isMissing(error)) return new LipikError('blob_not_found', `no object under ${key}`, { cause: error })
  return new LipikError('storage_unavailable', 'storage did not answer', { cause: error })
}

function undefinedIfMissing(error: unknown, key: string): undefined {
  if (!isMissing(error)) throw asStorageError(error, key)
}
