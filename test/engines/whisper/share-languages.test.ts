import { describe, expect, it } from 'vitest'
import { shareLanguages } from '../../../src/engines/whisper/share-languages.ts'

const share = (heard: Record<string, number>, allowed: string[]) =>
  shareLanguages(new Map(Object.entries(heard)), allowed)

describe('languages brought down to the allowed ones', () => {
  it('count Urdu and its kin as Hindi where they are not allowed themselves', () => {
    expect(share({ hi: 0.1, ur: 0.4, ne: 0.1, en: 0.4 }, ['hi', 'en'])).toEqual({ hi: 0.6, en: 0.4 })
    expect(share({ hi: 0.1, ur: 0.5, en: 0.4 }, ['hi', 'en', 'ur']).hi).toBeCloseTo(0.1)
  })

  it('believe English only when it is heard as English', () => {
    const unclear = share({ hi: 0.05, en: 0.15, fi: 0.5, pt: 0.3 }, ['hi', 'en'])
    expect(unclear.hi).toBeGreaterThan(unclear.en ?? 1)
    const clear = share({ hi: 0.02, en: 0.7, cy: 0.28 }, ['hi', 'en'])
    expect(clear.en).toBeGreaterThan(0.8)
  })

  it('sum to one, also when nothing allowed was heard', () => {
    expect(share({ fi: 1 }, ['en'])).toEqual({ en: 1 })
    const { hi = 0, en = 0 } = share({ fi: 0.9, hi: 0.1 }, ['hi', 'en'])
    expect(hi + en).toBeCloseTo(1)
  })
})
