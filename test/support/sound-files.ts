import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ffmpeg } from '../../src/audio/ffmpeg.ts'
import { encodeWav } from '../../src/audio/wav.ts'
import { fromAdts, mp4File } from './mp4-file.ts'
import { AMR_MAGIC, amrFrame, amrPause, gsmFrame, gsmWav, WIDE_AMR_MAGIC, wideAmrFrame } from './telephone-frames.ts'

export type SoundFile = { readonly name: string; readonly format: string; readonly bytes: Buffer }

/** Syllables of a voice-like buzz with pauses between them. */
export function buzz(seconds: number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, at) => {
    const second = at / 16_000
    const syllable = Math.max(0, Math.sin(second * 2 * Math.PI * 3))
    return 0.3 * syllable * (Math.sin(second * 2 * Math.PI * 150) + 0.5 * Math.sin(second * 2 * Math.PI * 900))
  })
}

const ENCODED: readonly { readonly name: string; readonly format: string; readonly options: string }[] = [
  { name: 'pcm.wav', format: 'wav', options: '-c:a pcm_s16le -f wav' },
  { name: 'stereo-44k.wav', format: 'wav', options: '-ac 2 -ar 44100 -c:a pcm_s24le -f wav' },
  { name: 'float.wav', format: 'wav', options: '-c:a pcm_f32le -f wav' },
  { name: 'mu-law-8k.wav', format: 'wav', options: '-ar 8000 -c:a pcm_mulaw -f wav' },
  { name: 'a-law-8k.wav', format: 'wav', options: '-ar 8000 -c:a pcm_alaw -f wav' },
  { name: 'cbr.mp3', format: 'mp3', options: '-ar 44100 -c:a libmp3lame -b:a 64k -write_xing 0 -f mp3' },
  { name: 'vbr.mp3', format: 'mp3', options: '-ar 44100 -c:a libmp3lame -q:a 5 -id3v2_version 3 -f mp3' },
  { name: 'adts.aac', format: 'aac', options: '-ar 48000 -c:a aac -b:a 48k -f adts' },
  { name: 'opus.ogg', format: 'ogg', options: '-c:a libopus -b:a 24k -f ogg' },
  { name: 'vorbis.ogg', format: 'ogg', options: '-c:a libvorbis -f ogg' },
  { name: 'flac.ogg', format: 'ogg', options: '-c:a flac -f ogg' },
  { name: 'plain.flac', format: 'flac', options: '-c:a flac -f flac' },
  { name: 'browser.webm', format: 'webm', options: '-c:a libopus -f webm' },
  {
    name: 'film.mkv',
    format: 'mkv',
    options: '-f lavfi -i color=size=16x16:rate=5 -shortest -c:v mpeg4 -c:a libopus -f matroska',
  },
  {
    name: 'live.mp4',
    format: 'm4a',
    options: '-c:a libopus -movflags frag_keyframe+empty_moov -frag_duration 500000 -f mp4',
  },
]

/** One file of every format the service takes, made from the same sound where an encoder for it is at hand. */
export async function makeSoundFiles(ffmpeg: Ffmpeg, dir: string, seconds: number): Promise<SoundFile[]> {
  const encoded = await encodeSound(ffmpeg, dir, buzz(seconds))
  return [
    ...encoded,
    { name: 'telephone.3gp', format: '3gp', bytes: telephone3gp({ seconds }) },
    ...telephoneFiles(seconds),
  ]
}

/** A sound in every format that can be written here; of AMR and GSM there are decoders only. */
export async function encodeSound(ffmpeg: Ffmpeg, dir: string, samples: Float32Array): Promise<SoundFile[]> {
  const source = join(dir, 'source.wav')
  await writeFile(source, encodeWav(samples))
  const encoded: SoundFile[] = []
  for (const { name, format, options } of ENCODED) {
    encoded.push({ name, format, bytes: await encode(ffmpeg, source, options.split(' ')) })
  }
  const aac = encoded.find(({ name }) => name === 'adts.aac')?.bytes ?? Buffer.alloc(0)
  return [...encoded, ...indexedFiles(aac)]
}

export async function encode(ffmpeg: Ffmpeg, inputPath: string, outputOptions: readonly string[]): Promise<Buffer> {
  const run = ffmpeg.run({ inputOptions: ['-loglevel', 'error'], inputPath, outputOptions })
  const pieces: Buffer[] = []
  for (;;) {
    const step = await run.next()
    if (!step.done) pieces.push(Buffer.from(step.value))
    else if (step.value.code === 0) return Buffer.concat(pieces)
    else throw new Error(`ffmpeg cannot make ${outputOptions.join(' ')}: ${step.value.complaint}`)
  }
}

function indexedFiles(adts: Buffer): SoundFile[] {
  const lead = { ticksPerFrame: 1024, leadTicks: 1024 }
  const aac = { ...fromAdts(adts), ...lead, handler: 'soun', timescale: 48_000, codec: 'mp4a' } as const
  return [
    { name: 'index-last.m4a', format: 'm4a', bytes: mp4File({ ...aac, brand: 'M4A ' }) },
    { name: 'index-first.mp4', format: 'm4a', bytes: mp4File({ ...aac, brand: 'isom', indexFirst: true }) },
    { name: 'quicktime.mov', format: 'mov', bytes: mp4File({ ...aac, brand: 'qt  ' }) },
  ]
}

export function telephone3gp({ seconds, claimedFrames }: { seconds: number; claimedFrames?: number }): Buffer {
  const frames = Array.from({ length: seconds * 50 }, (_, at) => amrFrame(at))
  const codecBoxes = Buffer.concat([Buffer.of(0, 0, 0, 17), Buffer.from('damrtest'), Buffer.of(0, 0, 128, 0, 1)])
  const times = { timescale: 8_000, ticksPerFrame: 160 }
  const claim = claimedFrames ? { claimedFrames } : {}
  return mp4File({ brand: '3gp4', handler: 'soun', codec: 'samr', codecBoxes, frames, ...times, ...claim })
}

function telephoneFiles(seconds: number): SoundFile[] {
  const frames = seconds * 50
  const many = (make: (seed: number) => Buffer, count = frames) => Array.from({ length: count }, (_, at) => make(at))
  const third = Math.floor(frames / 3)
  const withPause = [...many(amrFrame, third), ...amrPause(frames - 2 * third), ...many(amrFrame, third)]
  return [
    { name: 'narrow.amr', format: 'amr', bytes: Buffer.concat([AMR_MAGIC, ...many(amrFrame)]) },
    { name: 'pause.amr', format: 'amr', bytes: Buffer.concat([AMR_MAGIC, ...withPause]) },
    { name: 'wide.amr', format: 'amr', bytes: Buffer.concat([WIDE_AMR_MAGIC, ...many(wideAmrFrame)]) },
    { name: 'raw.gsm', format: 'gsm', bytes: Buffer.concat(many(gsmFrame)) },
    { name: 'gsm.wav', format: 'wav', bytes: gsmWav(frames / 2) },
  ]
}
