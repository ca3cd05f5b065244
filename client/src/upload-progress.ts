export type FileProgress = { readonly name: string; readonly sentBytes: number; readonly totalBytes: number }
export type UploadProgress = {
  readonly sentBytes: number
  readonly totalBytes: number
  readonly files: readonly FileProgress[]
}

type Sized = { readonly name: string; readonly size: number }

/** Files are sent one after the other, so the sum says how far each has come. */
export function toUploadProgress(files: readonly Sized[], sentBytes: number): UploadProgress {
  let before = 0
  const each = files.map(({ name, size }) => {
    const sent = Math.min(size, Math.max(0, sentBytes - before))
    before += size
    return { name, sentBytes: sent, totalBytes: size }
  })
  return { sentBytes: Math.min(sentBytes, before), totalBytes: before, files: each }
}
