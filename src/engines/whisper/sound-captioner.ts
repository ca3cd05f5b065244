import type { Samples } from '../../speech/ports.ts'
import type { EngineHost } from '../host/engine-host.ts'
import type { CaptionAsk } from './caption-clips.ts'
import type { CaptionScores } from './caption-tree.ts'
import type { WhisperAnswer, WhisperRequest } from './whisper-messages.ts'

/** A Whisper asked what else it hears. */
export interface SoundCaptioner {
  /** Clips of at most 30 s; a clip that was just recognised or identified costs no second encoding in its short window. */
  caption(clips: readonly Samples[], ask: CaptionAsk, signal?: AbortSignal): Promise<readonly CaptionScores[]>
}

export const captionerOf = (host: EngineHost<WhisperRequest, WhisperAnswer>): SoundCaptioner => ({
  async caption(clips, ask, signal) {
    const { captions = [] } = await host.request({ do: 'caption', clips, ask }, signal)
    return captions
  },
})
