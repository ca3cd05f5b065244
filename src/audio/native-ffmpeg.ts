import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { throwIfCancelled } from './cancelled.ts'
import type { Ffmpeg, FfmpegExit, FfmpegJob, FfmpegLimits } from './ffmpeg.ts'
import { readBeforeStall } from './read-before-stall.ts'

/** No honest file needs so much processor time; it ends a loop that keeps writing and so never stalls. */
const MOST_CPU_SECONDS = 4 * 3600
const COMPLAINT_CHARACTERS = 4096

/** The shell sets the limits and then becomes ffmpeg, so the child's pid is ffmpeg's own. */
const LIMITED = 'ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0; shift 2; exec "$@"'

/** ffmpeg as a program, one process a run. It gets none of our environment: what reads strangers' files holds no secrets. */
export function createNativeFfmpeg(path: string, limits: FfmpegLimits): Ffmpeg {
  const running = new Set<ChildProcess>()

  async function* run(job: FfmpegJob, signal?: AbortSignal): AsyncGenerator<Buffer, FfmpegExit> {
    throwIfCancelled(signal)
    const child = start(path, job, limits)
    running.add(child)
    const gone = once(child, 'close')
    const complaint = keepTail(child.stderr)
    const kill = () => child.kill('SIGKILL')
    signal?.addEventListener('abort', kill)
    try {
      yield* readBeforeStall(child.stdout, limits.stallMs)
      const [code] = await gone
      throwIfCancelled(signal)
      return { code: typeof code === 'number' ? code : null, complaint: complaint() }
    } finally {
      signal?.removeEventListener('abort', kill)
      kill()
      await gone
      running.delete(child)
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...running].map(end))
  }

  return { name: path, run, close }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close')
  child.kill('SIGKILL')
  await gone
}

function start(path: string, job: FfmpegJob, limits: FfmpegLimits) {
  const input = [...job.inputOptions, '-i', `file:${resolve(job.inputPath)}`]
  const command = [path, '-nostdin', '-hide_banner', ...input, ...job.outputOptions, 'pipe:1']
  const kibibytes = String(Math.floor(limits.memoryBytes / 1024))
  return spawn('/bin/sh', ['-c', LIMITED, 'sh', kibibytes, String(MOST_CPU_SECONDS), ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Address space is what is limited, and glibc reserves 64 MB of it per thread unless told otherwise.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', MALLOC_ARENA_MAX: '2' },
  })
}

function keepTail(stream: NodeJS.ReadableStream): () => string {
  let tail = ''
  stream.on('data', (text: Buffer) => {
    tail = (tail + text.toString()).slice(-COMPLAINT_CHARACTERS)
  })
  return () => tail
}
