import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSynthesizer } from '../../../src/main/open-synthesizer.ts'
import type { Sound, Synthesizer } from '../../../src/speech/ports.ts'
import { modelsDir } from '../../support/models.ts'

const SLOW_MS = 180_000
let synthesizer: Synthesizer

beforeAll(async () => {
  synthesizer = await openSynthesizer({ dir: modelsDir })
})
afterAll(() => synthesizer.close())

async function speak(text: string, voice: string, speed = 1): Promise<Sound[]> {
  const sounds: Sound[] = []
  for await (const sound of synthesizer.synthesize({ text, voice, speed })) sounds.push(sound)
  return sounds
}

const loudness = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length)

describe('Kokoro', () => {
  it(
    'speaks sentence by sentence, both languages in one',
    async () => {
      const sounds = await speak('ठीक है। Thank you जी।', 'ananya', 1.2)
      expect(sounds).toHaveLength(2)
      for (const { samples, sampleRateHz } of sounds) {
        expect(sampleRateHz).toBe(24_000)
        expect(samples.length / sampleRateHz).toBeGreaterThan(0.4)
        expect(samples.length / sampleRateHz).toBeLessThan(4)
        expect(loudness(samples)).toBeGreaterThan(0.01)
      }
    },
    SLOW_MS,
  )

  it(
    'stops in the middle when nobody listens any more',
    async () => {
      const leaving = new AbortController()
      const told: number[] = []
      const speaking = (async () => {
        const pieces = synthesizer.synthesize({ text: 'Yes. No. Maybe.', voice: 'tara' }, leaving.signal)
        for await (const { samples } of pieces) {
          told.push(samples.length)
          leaving.abort()
        }
      })()
      await expect(speaking).rejects.toMatchObject({ code: 'cancelled' })
      expect(told).toHaveLength(1)
    },
    SLOW_MS,
  )

  it('says nothing for a text without words', async () => expect(await speak('… !', 'ananya')).toEqual([]))

  it('refuses a voice it does not have', async () => {
    await expect(speak('ठीक', 'nobody')).rejects.toThrow(/"nobody"; there are: ananya, /)
  })
})
