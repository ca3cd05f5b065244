import { tmpdir } from 'node:os'
import { joinSounds } from '../scripts/shape-sound.ts'
import { decodeAudio } from '../src/audio/decode.ts'
import { findFfmpeg } from '../src/audio/find-ffmpeg.ts'
import type { Samples } from '../src/speech/ports.ts'

const LIMITS = { maxSeconds: 36_000, maxBytes: 4e9 }

/** A whole recording in memory, which only an evaluation does. */
export async function decodeClip(path: string): Promise<Samples> {
  const ffmpeg = await findFfmpeg({ ffmpegPath: process.env.FFMPEG_PATH, searchPath: process.env.PATH })
  const blocks: Samples[] = []
  try {
    const deps = { ffmpeg, limits: LIMITS, spoolDir: tmpdir() }
    for await (const { samples } of decodeAudio(deps, path)) blocks.push(samples)
  } finally {
    await ffmpeg.close()
  }
  return joinSounds(blocks)
}
