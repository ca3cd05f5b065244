import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LipikError } from '../platform/errors.ts'
import type { Sound } from '../speech/ports.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { pcm16FromSamples } from './pcm16.ts'

export const SOUND_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
export type SoundFormat = (typeof SOUND_FORMATS)[number]

export const SOUND_MEDIA: Readonly<Record<SoundFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm; rate=24000',
}

/** The frames of mp3 and ADTS stand for themselves: pieces encoded one by one can be joined. The others need the whole sound. */
const ENCODERS: Readonly<Record<'mp3' | 'opus' | 'aac' | 'flac', { options: readonly string[]; byPiece: boolean }>> = {
  mp3: {
    options: ['-c:a', 'libmp3lame', '-b:a', '64k', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3'],
    byPiece: true,
  },
  aac: { options: ['-c:a', 'aac', '-b:a', '64k', '-f', 'adts'], byPiece: true },
  opus: { options: ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'], byPiece: false },
  flac: { options: ['-c:a', 'flac', '-f', 'flac'], byPiece: false },
}

export type EncodeDeps = {
  readonly ffmpeg: Ffmpeg
  /** Raw sound waits here for ffmpeg, and goes at once after. */
  readonly spoolDir: string
}

/** Sound in the form asked for, as soon as there is some; nothing at all where there is no sound. */
export async function* encodeSound(
  deps: EncodeDeps,
  sounds: AsyncIterable<Sound>,
  format: SoundFormat,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (format === 'pcm') yield* rawPieces(sounds)
  else if (format === 'wav') yield* wavPieces(sounds)
  else if (ENCODERS[format].byPiece) {
    for await (const sound of sounds) yield* compress(deps, [sound], format, signal)
  } else {
    const all: Sound[] = []
    for await (const sound of sounds) all.push(sound)
    if (all.length > 0) yield* compress(deps, all, format, signal)
  }
}

function bytesOf(samples: Float32Array): Uint8Array {
  const pcm = pcm16FromSamples(samples)
  return new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength)
}

async function* rawPieces(sounds: AsyncIterable<Sound>): AsyncGenerator<Uint8Array> {
  for await (const { samples } of sounds) yield bytesOf(samples)
}

/** Nobody knows the length yet, so the header says the longest there is: players read on until the end. */
async function* wavPieces(sounds: AsyncIterable<Sound>): AsyncGenerator<Uint8Array> {
  let hasHeader = false
  for await (const { samples, sampleRateHz } of sounds) {
    const pcm = bytesOf(samples)
    yield hasHeader ? pcm : Buffer.concat([endlessHeader(sampleRateHz), pcm])
    hasHeader = true
  }
}

function endlessHeader(sampleRateHz: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(0xffff_ffff, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRateHz, 24)
  header.writeUInt32LE(sampleRateHz * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(0xffff_ffff, 40)
  return header
}

async function* compress(
  { ffmpeg, spoolDir }: EncodeDeps,
  sounds: readonly Sound[],
  format: keyof typeof ENCODERS,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const path = join(spoolDir, `lipik-sound-${randomUUID()}.pcm`)
  const rate = String(sounds[0]?.sampleRateHz ?? 0)
  try {
    await writeFile(path, Buffer.concat(sounds.map(({ samples }) => bytesOf(samples))))
    const job = {
      inputOptions: ['-loglevel', 'error', '-f', 's16le', '-ar', rate, '-ac', '1'],
      inputPath: path,
      outputOptions: [...ENCODERS[format].options],
    }
    const { code } = yield* ffmpeg.run(job, signal)
    if (code !== 0) throw new LipikError('unavailable', `this ffmpeg cannot write ${format}`)
  } finally {
    await rm(path, { force: true })
  }
}
