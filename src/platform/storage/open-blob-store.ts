import { fileURLToPath } from 'node:url'
import { LipikError } from '../errors.ts'
import type { BlobStore } from './blob-store.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'

export type StorageSettings = {
  /** `file:folder`, `gs://bucket/prefix` or `s3://bucket/prefix`. */
  readonly url: string
  readonly s3: {
    readonly region: string
    readonly endpoint?: string | undefined
    readonly pathStyle: boolean
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  }
  readonly gcs: { readonly endpoint?: string | undefined; readonly projectId?: string | undefined }
}

/** The cloud SDKs cost seconds to load and are read only by who uses them: a store on disk starts without them. */
export async function openBlobStore({ url, s3, gcs }: StorageSettings): Promise<BlobStore> {
  if (url.startsWith('file:')) return openDiskBlobStore(folderOf(url))
  const place = bucketOf(url)
  if (url.startsWith('s3://')) {
    const { createS3BlobStore } = await import('./s3-blob-store.ts')
    return createS3BlobStore({ ...place, ...s3 })
  }
  const { createGcsBlobStore } = await import('./gcs-blob-store.ts')
  return createGcsBlobStore({ ...place, ...gcs })
}

/** `file:data/objects` is relative to where the service was started; `file:///srv/objects` is a proper URL. */
const folderOf = (url: string): string => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length))

function bucketOf(url: string): { bucket: string; prefix: string } {
  const [, , bucket = '', path = ''] = /^(s3|gs):\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(?:\/(.*))?$/.exec(url) ?? []
  if (!bucket)
    throw new LipikError('invalid_request', 'STORAGE_URL is none of file:..., gs://bucket/..., s3://bucket/...')
  const inside = path.split('/').filter(Boolean).join('/')
  return { bucket, prefix: inside && `${inside}/` }
}
