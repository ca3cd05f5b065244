import { throwIfCancelled } from './cancelled.ts'
import type { Ffmpeg, FfmpegExit, FfmpegJob, FfmpegLimits } from './ffmpeg.ts'
import { WasmFfmpegProcess } from './wasm-ffmpeg-process.ts'

/** Loading 32 MB of WebAssembly costs more than decoding a short clip, so a few children wait for the next one. */
const MOST_IDLE = 2
const IDLE_MS = 30_000

/**
 * ffmpeg compiled to WebAssembly, in child processes. Each run gets a fresh instance with memory of its own that can
 * reach one file for reading and one pipe for writing: what a crafted file does to the decoder stays in there.
 */
export function createWasmFfmpeg(limits: FfmpegLimits): Ffmpeg {
  const running = new Set<WasmFfmpegProcess>()
  const idle = new Map<WasmFfmpegProcess, NodeJS.Timeout>()

  function take(): WasmFfmpegProcess {
    for (const [child, timer] of idle) {
      clearTimeout(timer)
      idle.delete(child)
      if (child.isAlive) return child
    }
    return new WasmFfmpegProcess(limits)
  }

  function rest(child: WasmFfmpegProcess): void {
    const retire = () => {
      idle.delete(child)
      void child.close()
    }
    idle.set(child, setTimeout(retire, IDLE_MS).unref())
    child.holdUs(false)
  }

  async function* run(job: FfmpegJob, signal?: AbortSignal): AsyncGenerator<Buffer, FfmpegExit> {
    throwIfCancelled(signal)
    const child = take()
    running.add(child)
    child.holdUs(true)
    const kill = () => child.kill()
    signal?.addEventListener('abort', kill)
    let exit: FfmpegExit | undefined
    try {
      exit = yield* child.run(job)
      throwIfCancelled(signal)
      return exit ?? { code: null, complaint: 'the decoding process ended' }
    } finally {
      signal?.removeEventListener('abort', kill)
      running.delete(child)
      if (exit && idle.size < MOST_IDLE && !signal?.aborted) rest(child)
      else await child.close()
    }
  }

  async function close(): Promise<void> {
    for (const timer of idle.values()) clearTimeout(timer)
    const children = [...idle.keys(), ...running]
    idle.clear()
    await Promise.all(children.map((child) => child.close()))
  }

  return { name: 'ffmpeg as WebAssembly (npm @ffmpeg/core)', run, close }
}
