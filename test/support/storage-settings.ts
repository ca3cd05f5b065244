import type { StorageSettings } from '../../src/platform/storage/open-blob-store.ts'

export const storageSettings = (url: string, endpoint?: string): StorageSettings => ({
  url,
  s3: {
    region: 'us-east-1',
    endpoint,
    pathStyle: true,
    // The keys s3rver is born with.
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  },
  gcs: { endpoint },
})
