import { describe, expect, it } from 'vitest'
import { decodeG711, encodeG711 } from '../../src/audio/g711.ts'
import { Pcm16Reader, pcm16FromSamples } from '../../src/audio/pcm16.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const pcm = (law: 'ulaw' | 'alaw', ...bytes: number[]) =>
  [...decodeG711(law, Uint8Array.from(bytes))].map((sample) => sample * 32_768)

describe('G.711', () => {
  it('knows the values of the standard', () => {
    // ITU-T G.711 tables 1 and 2, scaled to 16 bits: silence, smallest step, largest of either sign.
    expect(pcm('ulaw', 0xff, 0x7f, 0xfe, 0x80, 0x00)).toEqual([0, -0, 8, 32_124, -32_124])
    expect(pcm('alaw', 0xd5, 0x55, 0xaa, 0x2a)).toEqual([8, -8, 32_256, -32_256])
  })

  for (const law of ['ulaw', 'alaw'] as const) {
    it(`brings every ${law} byte back`, () => {
      const again = encodeG711(law, decodeG711(law, everyByte))
      // µ-law has two zeros.
      const expected = everyByte.map((byte) => (law === 'ulaw' && byte === 0x7f ? 0xff : byte))
      expect(again).toEqual(expected)
    })

    it(`is never further off in ${law} than half a step`, () => {
      for (let value = -32_768; value < 32_768; value += 7) {
        const heard = (decodeG711(law, encodeG711(law, Float32Array.of(value / 32_768)))[0] ?? 0) * 32_768
        expect(Math.abs(heard - value)).toBeLessThanOrEqual(Math.max(8, Math.abs(value) / 32 + 4))
      }
    })
  }
})

describe('16-bit sound', () => {
  it('keeps half a sample until its other half comes', () => {
    const bytes = new Uint8Array(pcm16FromSamples(Float32Array.of(0, 0.5, -0.5, 0.25, -1)).buffer)
    const reader = new Pcm16Reader()
    const heard = [1, 4, 8, 9, 10].map((to, at, all) => reader.push(bytes.slice(all[at - 1] ?? 0, to)))
    expect(heard.flatMap((each) => [...each])).toEqual([0, 0.5, -0.5, 0.25, -1])
    expect(heard[0]).toHaveLength(0)
  })

  it('forgets half a sample when told', () => {
    const reader = new Pcm16Reader()
    reader.push(Uint8Array.of(1))
    reader.reset()
    expect([...reader.push(Uint8Array.of(0, 0x40))]).toEqual([0.5])
  })

  it('cuts off what is too loud', () =>
    expect([...pcm16FromSamples(Float32Array.of(1, 2, -2))]).toEqual([32_767, 32_767, -32_768]))
})
