import { pcm16FromSamples, samplesFromPcm16 } from '../../src/audio/pcm16.ts'
import { resample } from '../../src/audio/resampler.ts'
import { createBuiltInAssistant } from '../../src/engines/llm/assistant/built-in-assistant.ts'
import { readConfig } from '../../src/main/config.ts'
import { openSpeech, type Speech } from '../../src/main/open-speech.ts'
import { openSynthesizer } from '../../src/main/open-synthesizer.ts'
import { createClientEvents } from '../../src/realtime/schema/client-events.ts'
import type { SessionServices } from '../../src/realtime/session.ts'
import type { Vocabulary } from '../../src/realtime/vocabulary.ts'
import { SAMPLE_RATE_HZ, type Samples, type Synthesizer } from '../../src/speech/ports.ts'
import { modelsDir } from './models.ts'
import { RealtimeHarness } from './realtime-door.ts'

/** What realtime sound is sent in. */
const WIRE_RATE_HZ = 24_000

export type SpokenService = {
  readonly harness: RealtimeHarness
  readonly speech: Speech
  readonly synthesizer: Synthesizer
  close(): Promise<void>
}

/** The realtime door with everything real behind it: ears, voices, and the assistant of rules. */
export async function openSpokenService(changes: Partial<SessionServices> = {}): Promise<SpokenService> {
  const env = { ...process.env, MODELS_DIR: modelsDir }
  const signal = new AbortController().signal
  const speech = await openSpeech({ config: readConfig(env), env, note: () => undefined, signal })
  const synthesizer = await openSynthesizer({ dir: modelsDir })
  const { voices } = synthesizer
  const resolveVoice = (name: string) => voices.find(({ id }) => id === name)?.id
  const vocabulary: Vocabulary = {
    voices,
    defaultVoice: 'tara',
    resolveVoice,
    model: 'lipik-realtime',
    isStrict: false,
  }
  const services = {
    ...{ synthesizer, detector: speech.detector, transcriber: speech.transcriber, model: createBuiltInAssistant() },
    ...{ vocabulary, events: createClientEvents(vocabulary) },
    ...changes,
  }
  const harness = await new RealtimeHarness().open({ services })
  return {
    harness,
    speech,
    synthesizer,
    async close() {
      await harness.close()
      await Promise.all([speech.close(), synthesizer.close()])
    },
  }
}

/** A sentence as 16-bit sound at the rate of the wire. */
export async function speak(synthesizer: Synthesizer, text: string, voice: string): Promise<Int16Array> {
  const pieces: Uint8Array[] = []
  for await (const { samples, sampleRateHz } of synthesizer.synthesize({ text, voice })) {
    pieces.push(new Uint8Array(pcm16FromSamples(resample(samples, sampleRateHz, WIRE_RATE_HZ)).buffer))
  }
  return new Int16Array(new Uint8Array(Buffer.concat(pieces)).buffer)
}

export const silence = (ms: number): Int16Array => new Int16Array((ms * WIRE_RATE_HZ) / 1000)

/** As `input_audio_buffer.append` events of so many milliseconds. */
export function appendsOf(pcm: Int16Array, pieceMs: number): { type: string; audio: string }[] {
  const size = (pieceMs * WIRE_RATE_HZ) / 1000
  return Array.from({ length: Math.ceil(pcm.length / size) }, (_, at) => {
    const piece = pcm.slice(at * size, (at + 1) * size)
    return { type: 'input_audio_buffer.append', audio: Buffer.from(piece.buffer).toString('base64') }
  })
}

/** Sound of the wire as recognisers want it. */
export function heardSamples(base64: readonly string[]): Samples {
  const bytes = Buffer.concat(base64.map((each) => Buffer.from(each, 'base64')))
  const pcm = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  return resample(samplesFromPcm16(pcm), WIRE_RATE_HZ, SAMPLE_RATE_HZ)
}
