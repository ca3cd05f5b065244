import type { Care, LanguageIdentifier } from '../../speech/ports.ts'
import type { EngineLimits } from '../host/engine-host.ts'
import type { ClipWindow } from './clip-states.ts'
import { openWhisperHost } from './open-whisper-host.ts'
import { captionerOf, type SoundCaptioner } from './sound-captioner.ts'

export type WhisperLanguageOptions = {
  /** Folder of the model; the smallest Whisper judges languages well. */
  readonly folder: string
  readonly threads?: number
  readonly limits?: Partial<EngineLimits>
}

/** Silence behind a short clip makes the model surer of it: eight seconds settle four in five of what the quick way leaves in doubt. */
const WINDOWS: Readonly<Record<Care, ClipWindow>> = { quick: 'short', careful: 'padded', thorough: 'whole' }

export function createWhisperLanguageIdentifier(options: WhisperLanguageOptions): LanguageIdentifier & SoundCaptioner {
  const host = openWhisperHost({ name: 'whisper-language', ...options })
  return {
    async identify(clips, allowed, { signal, isLive, care = 'quick' } = {}) {
      const request = { do: 'identify', clips, allowed, window: WINDOWS[care] } as const
      const { scores = [] } = await host.request(request, signal, isLive)
      return [...scores]
    },
    ...captionerOf(host),
    sleepers: [host],
    close: () => host.close(),
  }
}
