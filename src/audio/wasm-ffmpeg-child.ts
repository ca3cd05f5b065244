import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import type { FfmpegJob } from './ffmpeg.ts'
import { EXIT_FRAME, frameHeader, OUTPUT_FRAME } from './wasm-ffmpeg-frames.ts'

type Stream = { stream_ops: StreamOperations }
type StreamOperations = {
  open?: (stream: Stream) => void
  close?: (stream: Stream) => void
  read?: (stream: Stream, into: Uint8Array, offset: number, length: number, position: number) => number
  write?: (stream: Stream, from: Uint8Array, offset: number, length: number) => number
}
type FileSystem = {
  create(path: string, mode: number): { stream_ops: StreamOperations }
  makedev(major: number, minor: number): number
  registerDevice(device: number, operations: StreamOperations): void
  mkdev(path: string, mode: number, device: number): void
  open(path: string, mode: string): Stream
  close(stream: Stream): void
  getStream(descriptor: number): Stream
}
type FfmpegCore = {
  readonly FS: FileSystem
  exec(...args: string[]): number
  setLogger(logger: (line: { readonly message: string }) => void): void
}
type CoreOptions = {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): WebAssembly.Exports
  print(line: string): void
  printErr(line: string): void
}

const [STDIN, STDOUT] = [0, 1]
const PAGE_BYTES = 65_536
const OUTPUT_DEVICE_MAJOR = 64
const COMPLAINT_CHARACTERS = 4096
const NEW_LINE = 10
const RETRY_MS = 2

const require = createRequire(import.meta.url)
const parentPid = process.ppid
const pause = new Int32Array(new SharedArrayBuffer(4))

limitMemory(Number(process.argv[2]))
// Of 30,000 functions a decode uses a few hundred: compile those, when they are called.
setFlagsFromString('--wasm-lazy-compilation')
setFlagsFromString('--wasm-lazy-validation')
// The package is built for browser workers and asks for their globals when it starts.
Object.assign(globalThis, { self: globalThis, location: { href: '' } })
const createCore: (options: CoreOptions) => Promise<FfmpegCore> = require('@ffmpeg/core')
const program = new WebAssembly.Module(readFileSync(require.resolve('@ffmpeg/core/wasm')))

for (let line = readLine(); line !== undefined; line = readLine()) await runJob(JSON.parse(line))

async function runJob(job: FfmpegJob): Promise<void> {
  let complaint = ''
  const core = await createCore({ instantiateWasm: instantiate, print: () => undefined, printErr: () => undefined })
  core.setLogger(({ message }) => {
    // This build ends every run by aborting, a good one too; how the run went is in its exit code.
    if (!message.startsWith('Aborted(')) complaint = `${complaint}${message}\n`.slice(-COMPLAINT_CHARACTERS)
  })
  const input = openSync(job.inputPath, 'r')
  let code = 1
  try {
    showInput(core.FS, input)
    openOutput(core.FS)
    code = core.exec('-nostdin', '-hide_banner', ...job.inputOptions, '-i', '/input', ...job.outputOptions, 'pipe:1')
  } catch (error) {
    // A trap (memory used up, a bad access) is the end of that instance only.
    complaint = `${complaint}${String(error)}`
  } finally {
    closeSync(input)
  }
  const status = Buffer.alloc(4)
  status.writeInt32LE(code)
  writeFrame(EXIT_FRAME, Buffer.concat([status, Buffer.from(complaint)]))
}

function instantiate(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
  const instance = new WebAssembly.Instance(program, imports)
  receive(instance)
  return instance.exports
}

/** The one file the decoder sees, read through to the real one piece by piece. */
function showInput(fs: FileSystem, descriptor: number): void {
  const { size } = fstatSync(descriptor)
  const file = fs.create('/input', 0o444)
  Object.defineProperty(file, 'usedBytes', { get: () => size })
  file.stream_ops = {
    ...file.stream_ops,
    read: (_, into, offset, length, position) => {
      if (process.ppid !== parentPid) process.exit(1)
      return readSync(descriptor, into, offset, Math.max(0, Math.min(length, size - position)), position)
    },
  }
}

/** Closing descriptor 1 and opening another file makes that file descriptor 1, as everywhere. */
function openOutput(fs: FileSystem): void {
  const device = fs.makedev(OUTPUT_DEVICE_MAJOR, 0)
  fs.registerDevice(device, {
    open: () => undefined,
    close: () => undefined,
    write: (_, from, offset, length) => {
      writeFrame(OUTPUT_FRAME, from.subarray(offset, offset + length))
      return length
    },
  })
  fs.mkdev('/output', 0o666, device)
  fs.close(fs.getStream(STDOUT))
  fs.open('/output', 'w')
}

/** malloc asks for more memory in one place; refused there, the decoder runs out of memory and says so. */
function limitMemory(mostBytes: number): void {
  const grow = WebAssembly.Memory.prototype.grow
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > mostBytes) throw new RangeError('over the memory limit')
    return grow.call(this, pages)
  }
}

function writeFrame(kind: number, body: Uint8Array): void {
  writeAll(frameHeader(kind, body.length))
  writeAll(body)
}

/** Waiting while the pipe is full is what holds a fast decoder back for a slow reader. */
function writeAll(bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) {
    written += whenReady(() => writeSync(STDOUT, bytes, written, bytes.length - written))
  }
}

function readLine(): string | undefined {
  const bytes: Buffer[] = []
  const piece = Buffer.alloc(PAGE_BYTES)
  for (;;) {
    const length = whenReady(() => readSync(STDIN, piece, 0, piece.length, null))
    if (length === 0) return undefined
    bytes.push(Buffer.from(piece.subarray(0, length)))
    if (piece[length - 1] === NEW_LINE) return Buffer.concat(bytes).toString()
  }
}

/** A pipe blocks, or refuses at once when something else in the process (a loader) has opened it as a stream. */
function whenReady(transfer: () => number): number {
  for (;;) {
    try {
      return transfer()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      if (process.ppid !== parentPid) process.exit(1)
      Atomics.wait(pause, 0, 0, RETRY_MS)
    }
  }
}
