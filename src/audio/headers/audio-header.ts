import { LipikError } from '../../platform/errors.ts'
import type { ByteSource } from './byte-source.ts'

export type AudioFormat =
  | 'wav'
  | 'mp3'
  | 'aac'
  | 'm4a'
  | 'mp4'
  | 'mov'
  | '3gp'
  | 'ogg'
  | 'flac'
  | 'webm'
  | 'mkv'
  | 'amr'
  | 'gsm'

/** What a file says about itself. `estimated`: the duration comes from size and bit rate, not from a written length. */
export type AudioHeader = {
  readonly format: AudioFormat
  readonly durationSeconds: number
  readonly estimated: boolean
  /** The container carries moving pictures beside the sound. */
  readonly video?: boolean
}

/** Answers undefined when the bytes are of another format; throws when they are of this one and broken. */
export type HeaderReader = (source: ByteSource) => Promise<AudioHeader | undefined>

export const corrupt = (what: string) => new LipikError('audio_corrupt', `the audio file is damaged: ${what}`)
export const empty = () => new LipikError('audio_empty', 'the file holds no audio')
