import type { LanguageIdentifier } from '../../speech/ports.ts'
import type { EngineLimits } from '../host/engine-host.ts'
import { openWhisperHost } from './open-whisper-host.ts'
import { captionerOf, type SoundCaptioner } from './sound-captioner.ts'

export type WhisperLanguageOptions = {
  /** Folder of the model; the smallest Whisper judges languages well. */
  readonly folder: string
  readonly threads?: number
  readonly limits?: Partial<EngineLimits>
}

export function createWhisperLanguageIdentifier(options: WhisperLanguageOptions): LanguageIdentifier & SoundCaptioner {
  const host = openWhisperHost({ name: 'whisper-language', ...options })
  return {
    async identify(clips, allowed, { signal, isLive, isThorough } = {}) {
      const window = isThorough ? 'whole' : 'short'
      const { scores = [] } = await host.request({ do: 'identify', clips, allowed, window }, signal, isLive)
      return [...scores]
    },
    ...captionerOf(host),
    sleepers: [host],
    close: () => host.close(),
  }
}
