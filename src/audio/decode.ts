import { LipikError } from '../platform/errors.ts'
import { SAMPLE_RATE_HZ } from '../speech/ports.ts'
import type { AudioBlock } from './audio-block.ts'
import { decodeArguments } from './decode-arguments.ts'
import type { Ffmpeg, FfmpegExit } from './ffmpeg.ts'
import { type AudioProbe, probeAudio } from './probe.ts'
import { spool } from './spool.ts'
import { StereoFold } from './stereo-fold.ts'
import { WavStripper } from './wav-stripper.ts'

export type DecodeLimits = {
  readonly maxSeconds: number
  /** Of a byte stream, which is kept in a temporary file while it is decoded. */
  readonly maxBytes: number
}

export type DecodeDeps = { readonly ffmpeg: Ffmpeg; readonly limits: DecodeLimits; readonly spoolDir: string }

/** Less than one frame of any codec. */
const SHORTEST_SECONDS = 0.02

/**
 * Sound as 16 kHz mono, streamed: from a file, or from bytes as storage gives them (in a temporary file, because an mp4
 * may keep its index at the end). Damaged sound is skipped and what can be decoded is given; a file of which nothing
 * can be decoded is `audio_corrupt`. Throws `audio_too_long` as soon as the limit is passed.
 */
export async function* decodeAudio(
  deps: DecodeDeps,
  input: string | AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<AudioBlock> {
  if (typeof input === 'string') return yield* decodeFile(deps, input, signal)
  const file = await spool(input, deps.spoolDir, deps.limits.maxBytes, signal)
  try {
    yield* decodeFile(deps, file.path, signal)
  } finally {
    await file.remove()
  }
}

async function* decodeFile({ ffmpeg, limits }: DecodeDeps, path: string, signal?: AbortSignal) {
  const probe = await probeAudio(path)
  if (!probe.estimated && probe.durationSeconds > limits.maxSeconds) throw tooLong(limits.maxSeconds)
  // One second more than allowed, so that a file of exactly the limit is told from a longer one.
  const run = ffmpeg.run(decodeArguments(probe, path, limits.maxSeconds + 1), signal)
  const mostSamples = limits.maxSeconds * SAMPLE_RATE_HZ
  let given = 0
  const exit = yield* foldOutput(run, (samples) => {
    given += samples
    if (given > mostSamples) throw tooLong(limits.maxSeconds)
  })
  if (given === 0) throw nothingDecoded(probe, exit)
}

async function* foldOutput(
  run: AsyncGenerator<Buffer, FfmpegExit>,
  account: (samples: number) => void,
): AsyncGenerator<AudioBlock, FfmpegExit> {
  const stripper = new WavStripper()
  let fold: StereoFold | undefined
  try {
    for (;;) {
      const step = await run.next()
      const pcm = step.done ? Buffer.alloc(0) : stripper.push(step.value)
      if (stripper.channels !== undefined) fold ??= new StereoFold(stripper.channels)
      const block = step.done ? fold?.end() : fold?.push(pcm)
      if (block) {
        account(block.samples.length)
        yield block
      }
      if (step.done) return step.value
    }
  } finally {
    await run.return({ code: null, complaint: '' })
  }
}

const tooLong = (maxSeconds: number) =>
  new LipikError('audio_too_long', `the audio is longer than ${maxSeconds} seconds`, { details: { maxSeconds } })

/** A header that speaks of sound where none can be decoded means damage; one that does not, an empty recording. */
function nothingDecoded({ format, durationSeconds }: AudioProbe, { code, complaint }: FfmpegExit): LipikError {
  if (durationSeconds < SHORTEST_SECONDS) return new LipikError('audio_empty', 'the file holds no audio')
  const cause = new Error(`ffmpeg ended with ${code}: ${complaint}`)
  return new LipikError('audio_corrupt', `the ${format} file is damaged: nothing in it can be decoded`, { cause })
}
