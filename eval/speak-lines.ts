import { joinSounds, trimSilence } from '../scripts/shape-sound.ts'
import { resample } from '../src/audio/resampler.ts'
import { isRetryable } from '../src/platform/errors.ts'
import { SAMPLE_RATE_HZ, type Samples, type Synthesizer } from '../src/speech/ports.ts'

/** On a crowded machine a line may take too long once. */
const TRIES = 3

export type Speak = (text: string, voice: string) => Promise<Samples>

/** What a voice of the service says, without silence around it; said once, however often it is asked for. */
export function speakWith(synthesizer: Synthesizer): Speak {
  const said = new Map<string, Promise<Samples>>()
  const speak = async (text: string, voice: string, tries = TRIES): Promise<Samples> => {
    try {
      return await once(text, voice)
    } catch (error) {
      if (tries <= 1 || !isRetryable(error)) throw error
      return speak(text, voice, tries - 1)
    }
  }
  const once = async (text: string, voice: string): Promise<Samples> => {
    const pieces: Samples[] = []
    for await (const { samples, sampleRateHz } of synthesizer.synthesize({ text, voice })) {
      pieces.push(resample(samples, sampleRateHz, SAMPLE_RATE_HZ))
    }
    return trimSilence(joinSounds(pieces))
  }
  return (text, voice) => {
    const key = `${voice}: ${text}`
    const known = said.get(key) ?? speak(text, voice)
    said.set(key, known)
    return known
  }
}

export const silence = (ms: number): Samples => new Float32Array(Math.round((ms * SAMPLE_RATE_HZ) / 1000))
export const lengthMs = (samples: Samples): number => (samples.length * 1000) / SAMPLE_RATE_HZ
