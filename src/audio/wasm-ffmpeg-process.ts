import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { childEntry } from '../platform/child-entry.ts'
import type { FfmpegExit, FfmpegJob, FfmpegLimits } from './ffmpeg.ts'
import { readBeforeStall } from './read-before-stall.ts'
import { EXIT_FRAME, FrameAssembler, OUTPUT_FRAME } from './wasm-ffmpeg-frames.ts'

/** One child that runs one job after another. After a job that did not come to its end it must be closed. */
export class WasmFfmpegProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #gone: Promise<unknown>
  readonly #stallMs: number

  constructor({ memoryBytes, stallMs }: FfmpegLimits) {
    const { path, execArgv } = childEntry(import.meta.url, './wasm-ffmpeg-child')
    this.#child = spawn(process.execPath, [...execArgv, path, String(memoryBytes)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    })
    this.#gone = once(this.#child, 'close')
    this.#stallMs = stallMs
    // A child that is gone refuses what is written to it; that it is gone shows in its output ending.
    this.#child.stdin.on('error', () => undefined)
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Undefined at the end: the child died over it. */
  async *run(job: FfmpegJob): AsyncGenerator<Buffer, FfmpegExit | undefined> {
    this.#child.stdin.write(`${JSON.stringify({ ...job, inputPath: resolve(job.inputPath) })}\n`)
    const frames = new FrameAssembler()
    // The jobs of one child share its output, so the stream stays open when a reader leaves it.
    const pieces = this.#child.stdout.iterator({ destroyOnReturn: false })
    for await (const piece of readBeforeStall(pieces, this.#stallMs)) {
      for (const { kind, body } of frames.push(piece)) {
        if (kind === OUTPUT_FRAME) yield body
        if (kind === EXIT_FRAME) return parseExit(body)
      }
    }
    return undefined
  }

  /** An idle child does not keep our own process from ending; it ends when we do. */
  holdUs(held: boolean): void {
    for (const each of [this.#child, this.#child.stdin, this.#child.stdout]) {
      if (each instanceof Socket || each === this.#child) held ? each.ref() : each.unref()
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async close(): Promise<void> {
    // Whoever waits for the end must not be ended first, for want of anything that keeps the process up.
    this.holdUs(true)
    this.kill()
    this.#child.stdout.resume()
    await this.#gone
  }
}

function parseExit(body: Buffer): FfmpegExit {
  return { code: body.readInt32LE(0), complaint: body.toString('utf8', 4) }
}
