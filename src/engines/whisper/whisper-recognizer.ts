import { LipikError } from '../../platform/errors.ts'
import {
  type Outcome,
  type Recognition,
  type RecognitionRequest,
  SAMPLE_RATE_HZ,
  type SpeechRecognizer,
} from '../../speech/ports.ts'
import type { EngineHost } from '../host/engine-host.ts'
import { openWhisperHost, type WhisperHostOptions } from './open-whisper-host.ts'
import { planBatches } from './plan-batches.ts'
import { captionerOf, type SoundCaptioner } from './sound-captioner.ts'
import type { WhisperAnswer, WhisperRequest } from './whisper-messages.ts'

export type WhisperOptions = WhisperHostOptions & {
  /** Most clips in one decode. */
  readonly batchSize?: number
  /** Most seconds of audio in one decode; the memory of a decode grows with them. */
  readonly batchSeconds?: number
}

const LONGEST_CLIP_SECONDS = 30

export function createWhisperRecognizer(options: WhisperOptions): SpeechRecognizer & SoundCaptioner {
  const { batchSize = 8, batchSeconds = 120 } = options
  const host = openWhisperHost(options)
  return {
    name: options.name ?? 'whisper',
    async recognize(requests, signal) {
      const outcomes: Outcome<Recognition>[] = requests.map(tooLong)
      const fitting = [...requests.keys()].filter((i) => secondsOf(requests[i]) <= LONGEST_CLIP_SECONDS)
      const batches = planBatches(fitting, (i) => secondsOf(requests[i]), { batchSize, batchSeconds })
      for (const batch of batches) {
        const answers = await recognizeBatch(
          host,
          batch.flatMap((i) => requests[i] ?? []),
          signal,
        )
        batch.forEach((i, at) => {
          outcomes[i] = answers[at] ?? outcomes[i] ?? tooLong()
        })
      }
      return outcomes
    },
    ...captionerOf(host),
    sleepers: [host],
    close: () => host.close(),
  }
}

/** A batch that takes the process down is tried again clip by clip, so that the bad clip fails alone. */
async function recognizeBatch(
  host: EngineHost<WhisperRequest, WhisperAnswer>,
  clips: readonly RecognitionRequest[],
  signal?: AbortSignal,
): Promise<Outcome<Recognition>[]> {
  try {
    const isLive = clips.some((clip) => clip.isLive)
    const { segments = [] } = await host.request({ do: 'recognize', clips }, signal, isLive)
    return segments.map((each) => ({ ok: true, value: { segments: each } }))
  } catch (error) {
    if (!(error instanceof LipikError) || error.code === 'cancelled') throw error
    if (error.code !== 'engine_crashed' || clips.length === 1) return clips.map(() => ({ ok: false, error }))
    const alone: Outcome<Recognition>[] = []
    for (const clip of clips) alone.push(...(await recognizeBatch(host, [clip], signal)))
    return alone
  }
}

const secondsOf = (request: RecognitionRequest | undefined): number => (request?.samples.length ?? 0) / SAMPLE_RATE_HZ

const tooLong = (): Outcome<Recognition> => ({
  ok: false,
  error: new LipikError('audio_too_long', `a clip is longer than ${LONGEST_CLIP_SECONDS} s`),
})
