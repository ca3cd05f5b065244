import { LipikError } from '../platform/errors.ts'
import { readAdtsHeader } from './headers/adts-header.ts'
import { readAmrHeader } from './headers/amr-header.ts'
import { type AudioFormat, type AudioHeader, empty, type HeaderReader } from './headers/audio-header.ts'
import { ByteSource } from './headers/byte-source.ts'
import { readFlacHeader } from './headers/flac-header.ts'
import { readGsmHeader } from './headers/gsm-header.ts'
import { readMatroskaHeader } from './headers/matroska-header.ts'
import { readMp3Header } from './headers/mp3-header.ts'
import { readMp4Header } from './headers/mp4-header.ts'
import { readOggHeader } from './headers/ogg-header.ts'
import { readWavHeader } from './headers/wav-header.ts'

export type AudioProbe = {
  readonly format: AudioFormat
  readonly contentType: string
  readonly durationSeconds: number
  /** The duration follows from size and bit rate, because the file does not say it. */
  readonly estimated: boolean
}

/** Formats with a magic number first: mp3 and raw GSM are told only by frames that agree with one another. */
const READERS: readonly HeaderReader[] = [
  readWavHeader,
  readOggHeader,
  readMatroskaHeader,
  readAmrHeader,
  readMp4Header,
  readFlacHeader,
  readAdtsHeader,
  readGsmHeader,
  readMp3Header,
]

const CONTENT_TYPES: Record<AudioFormat, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  mov: 'video/quicktime',
  '3gp': 'audio/3gpp',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
  mkv: 'audio/x-matroska',
  amr: 'audio/amr',
  gsm: 'audio/x-gsm',
}

/** No codec says speech in fewer bytes than this; a header that claims so is lying about its length. */
const FEWEST_BYTES_PER_SECOND = 16
const TYPICAL_BYTES_PER_SECOND = 16_000

/**
 * What an audio file is and how long, by its content, whatever its name. Reads headers only, a bounded number of bytes.
 * Throws `audio_empty`, `not_audio` (unknown content, or pictures without sound) or `audio_corrupt`.
 */
export async function probeAudio(path: string): Promise<AudioProbe> {
  const source = await ByteSource.open(path)
  try {
    if (source.size === 0) throw empty()
    const header = await readHeader(source)
    if (!header) throw new LipikError('not_audio', 'the file is not audio in a format this service reads')
    return describe(header, source.size)
  } finally {
    await source.close()
  }
}

async function readHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  for (const read of READERS) {
    const header = await read(source)
    if (header) return header
  }
  return undefined
}

function describe({ format, durationSeconds, estimated, video }: AudioHeader, bytes: number): AudioProbe {
  const believable = Number.isFinite(durationSeconds) && durationSeconds * FEWEST_BYTES_PER_SECOND <= bytes
  const contentType = video ? CONTENT_TYPES[format].replace('audio/', 'video/') : CONTENT_TYPES[format]
  if (believable) return { format, contentType, durationSeconds, estimated }
  return { format, contentType, durationSeconds: bytes / TYPICAL_BYTES_PER_SECOND, estimated: true }
}
