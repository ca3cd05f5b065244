import { describe, expect, it } from 'vitest'
import { chooseLanguage, isDoubtful, smoothScores } from '../../src/transcription/choose-language.ts'

describe('choosing the language of a chunk', () => {
  it('takes the likelier language', () => {
    expect(chooseLanguage({ hi: 0.9, en: 0.1 })).toBe('hi')
    expect(chooseLanguage({ hi: 0.01, en: 0.99 })).toBe('en')
  })

  it('writes speech of doubtful language with the recogniser that can do both', () => {
    expect(chooseLanguage({ hi: 0.15, en: 0.85 })).toBe('hi')
  })

  it('takes English at any score when nothing else is allowed', () => {
    expect(chooseLanguage({ en: 1 })).toBe('en')
  })

  it('lets sure neighbours decide for a short unsure chunk', () => {
    const hindi = { scores: { hi: 0.98, en: 0.02 }, speechMs: 12_000 }
    const short = { scores: { hi: 0.02, en: 0.98 }, speechMs: 900 }
    expect(chooseLanguage(smoothScores(short, [hindi, hindi]))).toBe('hi')
  })

  it('leaves a long sure chunk alone', () => {
    const hindi = { scores: { hi: 0.98, en: 0.02 }, speechMs: 12_000 }
    const long = { scores: { hi: 0.05, en: 0.95 }, speechMs: 10_000 }
    const smoothed = smoothScores(long, [hindi, hindi])
    expect(smoothed.en).toBeCloseTo(0.95, 5)
    expect(Object.values(smoothed).reduce((sum, score) => sum + score)).toBeCloseTo(1, 9)
  })
})

describe('doubt about the language of a chunk', () => {
  it.each([
    { scores: { hi: 0.95, en: 0.05 }, doubtful: false },
    { scores: { hi: 0.8, en: 0.2 }, doubtful: true },
    { scores: { hi: 0.12, en: 0.88 }, doubtful: true },
    { scores: { hi: 0.04, en: 0.96 }, doubtful: false },
    { scores: { en: 1 }, doubtful: false },
    { scores: {}, doubtful: true },
  ])('$scores: $doubtful', ({ scores, doubtful }) => expect(isDoubtful(scores)).toBe(doubtful))
})
