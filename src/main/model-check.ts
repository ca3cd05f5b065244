import type { ReadinessCheck } from '../http/health-routes.ts'
import { type ChunkTranscriber, SAMPLE_RATE_HZ } from '../speech/ports.ts'

/** Ready once the recogniser has answered: asked with a second of silence, and again as long as that fails. */
export function createModelCheck(transcriber: ChunkTranscriber, languages: readonly string[]): ReadinessCheck {
  let answered: Promise<void> | undefined
  const ask = async (): Promise<void> => {
    const [outcome] = await transcriber.transcribe([{ samples: new Float32Array(SAMPLE_RATE_HZ), languages }])
    if (!outcome?.ok) throw outcome?.error ?? new Error('the recogniser gave no answer')
  }
  return () => {
    answered ??= ask().catch((error: unknown) => {
      answered = undefined
      throw error
    })
    return answered
  }
}
