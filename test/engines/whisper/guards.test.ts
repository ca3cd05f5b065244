import { describe, expect, it } from 'vitest'
import { allowedTokens, keepAllowedLetters } from '../../../src/engines/whisper/allowed-tokens.ts'
import { findLoop } from '../../../src/engines/whisper/find-loop.ts'
import { compression, judgeDecoding } from '../../../src/engines/whisper/judge-decoding.ts'
import { readVocabulary, spellTokens } from '../../../src/engines/whisper/whisper-vocabulary.ts'
import { testModel } from '../../support/models.ts'

const decoded = { tokens: [1, 2], logProbs: [-0.2, -0.4], entries: [], noSpeechProb: 0.01, ending: 'end' } as const

describe('a loop', () => {
  it('is seen whatever its length, and cut to one round', () => {
    const round = [4, 8, 15, 16, 23, 42, 7, 9]
    expect(findLoop([1, 2, ...round, ...round, ...round, ...round])).toBe(3 * round.length)
    expect(findLoop([1, ...Array(40).fill(5)])).toBe(39)
  })

  it('is not a word said three times, nor a sentence said twice', () => {
    expect(findLoop([1, 2, ...[5, 6, 7], ...[5, 6, 7], ...[5, 6, 7]])).toBe(0)
    const sentence = Array.from({ length: 40 }, (_, i) => i)
    expect(findLoop([...sentence, ...sentence])).toBe(0)
  })
})

describe('a decoding', () => {
  it('is believed when it is plain', () => expect(judgeDecoding(decoded, 'नमस्ते, मैं बैंक से बोल रही हूँ।')).toBe('good'))

  it('is doubtful when it loops, repeats itself or was guessed', () => {
    expect(judgeDecoding({ ...decoded, ending: 'loop' }, 'ok')).toBe('doubtful')
    expect(judgeDecoding(decoded, 'हाँ जी '.repeat(20))).toBe('doubtful')
    expect(judgeDecoding({ ...decoded, logProbs: [-3, -2] }, 'ok')).toBe('doubtful')
  })

  it('is silence when the model hears nobody and guesses', () =>
    expect(judgeDecoding({ ...decoded, logProbs: [-1.2, -0.8], noSpeechProb: 0.4 }, 'ok')).toBe('silent'))

  it('is speech when the model is sure of its words, whatever it thinks of the noise', () =>
    expect(judgeDecoding({ ...decoded, noSpeechProb: 0.5 }, 'ok')).toBe('good'))

  it('does not look repetitive for being in Devanagari', () => {
    const hindi = 'कल सुबह बारिश होगी, इसलिए छाता साथ रखिए। मेरी दुकान बाज़ार के पास है। आपका सामान कल शाम तक पहुँच जाएगा।'
    expect(compression(hindi)).toBeLessThan(1.6)
  })
})

describe('allowed scripts', () => {
  it('leave no token that writes Arabic, and every token that writes Devanagari', async () => {
    const vocabulary = await readVocabulary((await testModel('whisper-tiny')).dir)
    const mask = allowedTokens(vocabulary, ['Latin', 'Devanagari'])
    const spelled = vocabulary.bytes.map((_, token) => ({
      isAllowed: mask[token] === 1,
      text: spellTokens(vocabulary, [token]),
    }))
    expect(spelled.filter(({ isAllowed, text }) => isAllowed && /\p{Script=Arabic}/u.test(text))).toEqual([])
    const devanagari = spelled.filter(({ text }) => /^ ?\p{Script=Devanagari}+$/u.test(text))
    expect(devanagari.length).toBeGreaterThan(15)
    expect(devanagari.every(({ isAllowed }) => isAllowed)).toBe(true)
  })

  it('drop what half-letters put together', () =>
    expect(keepAllowedLetters('ठीक है، OK؟ ٹھیک ₹500 “हाँ”', ['Latin', 'Devanagari'])).toBe('ठीक है OK  ₹500 “हाँ”'))
})
