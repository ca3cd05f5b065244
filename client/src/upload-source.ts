/** One file to send. It is read anew at each try, so it gives its bytes as often as asked. */
export type UploadSource = {
  readonly name: string
  readonly size: number
  read(): AsyncIterable<Uint8Array>
  /** Where the environment sends blobs itself. */
  readonly blob?: Blob
}

/** A path (Node.js), a File, or bytes with a name. */
export type UploadInput = string | File | { readonly name: string; readonly data: Blob | Uint8Array<ArrayBuffer> }

export async function toUploadSource(input: UploadInput): Promise<UploadSource> {
  if (typeof input === 'string') return fromDisk(input)
  if (input instanceof Blob) return fromBlob(input.name, input)
  return fromBlob(input.name, input.data instanceof Blob ? input.data : new Blob([input.data]))
}

const fromBlob = (name: string, blob: Blob): UploadSource => ({
  name,
  size: blob.size,
  blob,
  // Node's and the browsers' streams are both iterable; the types of older browsers do not say so.
  read: () => blob.stream() as unknown as AsyncIterable<Uint8Array>,
})

/** The slice of Node.js used here; asked for at run time, so that a bundle for browsers has no trace of it. */
type NodeModules = {
  'node:fs': { createReadStream(path: string): AsyncIterable<Uint8Array> }
  'node:fs/promises': { stat(path: string): Promise<{ readonly size: number; isFile(): boolean }> }
  'node:path': { basename(path: string): string }
}
type NodeProcess = { getBuiltinModule?<N extends keyof NodeModules>(name: N): NodeModules[N] }

async function fromDisk(path: string): Promise<UploadSource> {
  const { process } = globalThis as unknown as { readonly process?: NodeProcess }
  if (process?.getBuiltinModule === undefined)
    throw new TypeError('a path can be uploaded only from Node.js; give a File or a Blob here')
  const found = await process.getBuiltinModule('node:fs/promises').stat(path)
  if (!found.isFile()) throw new TypeError(`${path} is not a file`)
  const { createReadStream } = process.getBuiltinModule('node:fs')
  const { basename } = process.getBuiltinModule('node:path')
  return { name: basename(path), size: found.size, read: () => createReadStream(path) }
}
