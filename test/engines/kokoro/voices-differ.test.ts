import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSynthesizer } from '../../../src/main/open-synthesizer.ts'
import type { Sound, Synthesizer } from '../../../src/speech/ports.ts'
import type { Voice } from '../../../src/speech/voice.ts'
import { modelsDir } from '../../support/models.ts'
import { semitonesBetween, timbreDistance, type VoiceFeatures, voiceFeatures } from '../../support/voice-features.ts'

const SLOW_MS = 300_000
const SENTENCE = 'Hello there, how are you?'
/** Women's voices lie above, men's below. */
const BOUNDARY_HZ = 168
/** The same person is as far from himself between two sentences. */
const LEAST_SEMITONES = 1.5

let synthesizer: Synthesizer
const heard = new Map<Voice, VoiceFeatures>()
let again: VoiceFeatures

beforeAll(async () => {
  synthesizer = await openSynthesizer({ dir: modelsDir })
  for (const voice of synthesizer.voices) heard.set(voice, voiceFeatures(await say(SENTENCE, voice.id)))
  again = voiceFeatures(await say(SENTENCE, 'ananya', 1.15))
}, SLOW_MS)
afterAll(() => synthesizer.close())

async function say(text: string, voice: string, speed = 1): Promise<Sound> {
  const pieces: Sound[] = []
  for await (const piece of synthesizer.synthesize({ text, voice, speed })) pieces.push(piece)
  const samples = Float32Array.from(pieces.flatMap((piece) => [...piece.samples]))
  return { samples, sampleRateHz: pieces[0]?.sampleRateHz ?? 0 }
}

describe('twelve voices', () => {
  it('are as high as a woman’s or a man’s, as they are labelled', () => {
    const wrong = [...heard].filter(([{ gender }, { pitchHz }]) => pitchHz > BOUNDARY_HZ !== (gender === 'female'))
    expect(wrong.map(([{ id, gender }, { pitchHz }]) => `${id} (${gender}): ${Math.round(pitchHz)} Hz`)).toEqual([])
  })

  it('differ from each other at least twice as much as one does from itself at another pace', () => {
    const voices = [...heard]
    const [, own] = voices.find(([{ id }]) => id === 'ananya') ?? []
    if (!own) throw new Error('ananya was not heard')
    const [sameTimbre, samePitch] = [timbreDistance(own, again), semitonesBetween(own, again)]
    const alike = voices.flatMap(([a, first], at) =>
      voices.slice(at + 1).flatMap(([b, second]) => {
        const [timbre, pitch] = [timbreDistance(first, second), semitonesBetween(first, second)]
        return timbre > 2 * sameTimbre || pitch > Math.max(LEAST_SEMITONES, 2 * samePitch)
          ? []
          : [`${a.id} and ${b.id}: ${timbre.toFixed(1)} dB, ${pitch.toFixed(1)} semitones`]
      }),
    )
    expect(alike).toEqual([])
  })
})
