import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinSounds } from '../scripts/shape-sound.ts'
import { encodeWav } from '../src/audio/wav.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../src/speech/ports.ts'
import { decodeClip } from './decode-clip.ts'
import type { Clip } from './read-manifest.ts'

/** Silence between joined clips, in turn. */
const GAPS_SECONDS = [0.6, 1.2, 0.8, 2.0, 0.5]
const NOISE_LEVEL = 0.1
const CHORDS_HZ = [
  [220, 277.2, 329.6],
  [246.9, 311.1, 370],
  [196, 246.9, 293.7],
  [261.6, 329.6, 392],
]

export async function withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lipik-eval-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One long recording out of short ones, and which they were: its errors should be theirs and no more. */
export async function joinClips(
  clips: readonly Clip[],
  minutes: number,
  folder: string,
): Promise<{ long: Clip; parts: Clip[] }> {
  const language = clips[0]?.language
  if (language === undefined) throw new Error('there is no clip to join')
  const wanted = minutes * 60 * SAMPLE_RATE_HZ
  const sounds: Samples[] = []
  const parts: Clip[] = []
  for (let length = 0, turn = 0; length < wanted; turn++) {
    // Indexes stay inside: both are taken modulo the length.
    const clip = clips[turn % clips.length] as Clip
    const gap = silence(GAPS_SECONDS[turn % GAPS_SECONDS.length] as number)
    const sound = await decodeClip(clip.path)
    sounds.push(sound, gap)
    parts.push(clip)
    length += sound.length + gap.length
  }
  const transcript = parts.map((clip) => clip.transcript).join(' ')
  return { long: await write(joinSounds(sounds), `joined-${language}`, folder, language, transcript), parts }
}

/** Ten kinds of nothing would be no better than three: silence, noise and something like music. */
export async function makeNonSpeech(seconds: number, folder: string): Promise<Clip[]> {
  if (seconds <= 0) return []
  return Promise.all([
    write(silence(seconds), 'silence', folder, '-', ''),
    write(whiteNoise(seconds), 'white-noise', folder, '-', ''),
    write(chords(seconds), 'tones', folder, '-', ''),
  ])
}

async function write(
  samples: Samples,
  name: string,
  folder: string,
  language: string,
  transcript: string,
): Promise<Clip> {
  const path = join(folder, `${name}.wav`)
  await writeFile(path, encodeWav(samples))
  return { name, path, language, durationSeconds: samples.length / SAMPLE_RATE_HZ, transcript }
}

const silence = (seconds: number): Samples => new Float32Array(Math.round(seconds * SAMPLE_RATE_HZ))

/** The same noise in every run: figures of two runs must be about the same sound. */
function whiteNoise(seconds: number): Samples {
  let state = 0x2545f491
  return silence(seconds).map(() => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (NOISE_LEVEL * state) / 0x80000000
  })
}

/** A chord every second, struck and fading, with overtones. */
function chords(seconds: number): Samples {
  return silence(seconds).map((_, index) => {
    const time = index / SAMPLE_RATE_HZ
    const chord = CHORDS_HZ[Math.floor(time) % CHORDS_HZ.length] ?? []
    const fade = Math.exp(-2 * (time % 1))
    const tone = (hz: number) => Math.sin(2 * Math.PI * hz * time) + 0.4 * Math.sin(4 * Math.PI * hz * time)
    return 0.12 * fade * chord.reduce((sum, hz) => sum + tone(hz), 0)
  })
}
