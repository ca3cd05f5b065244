import { describe, expect, it } from 'vitest'
import { toSymbols } from '../../../src/engines/kokoro/kokoro-symbols.ts'
import { KOKORO_VOICES } from '../../../src/engines/kokoro/kokoro-voices.ts'
import { spellForKokoro } from '../../../src/engines/kokoro/spell-for-kokoro.ts'
import { splitSentences } from '../../../src/engines/kokoro/split-sentences.ts'
import { splitSpokenText } from '../../../src/engines/kokoro/split-spoken-text.ts'
import { trimSilence } from '../../../src/engines/kokoro/trim-silence.ts'
import { KOKORO_VOICE_FILES } from '../../../src/models/kokoro-voice-files.ts'

const said = (text: string, own = 'hi') =>
  splitSpokenText(text, own).map((piece) => (piece.kind === 'mark' ? piece.text : `${piece.language}:${piece.text}`))

describe('the languages inside a sentence', () => {
  it.each([
    ['मुझे account balance चाहिए।', ['hi:मुझे', 'en:account balance', 'hi:चाहिए', '.']],
    ['Don’t worry, सब ठीक है!', ['en:Don’t worry', ',', 'hi:सब ठीक है', '!']],
    ['வணக்கம் sir', ['ta:வணக்கம்', 'en:sir']],
    ['मुझे 5 मिनट दो', ['hi:मुझे 5 मिनट दो']],
    ['5 बजे', ['hi:5 बजे']],
    ['I have 3.5 apples.', ['en:I have 3.5 apples', '.']],
    ['42', ['hi:42']],
    ['«»', []],
  ])('of %s', (text, expected) => expect(said(text)).toEqual(expected))

  it('are the voice’s own for a bare number', () => expect(said('42', 'en')).toEqual(['en:42']))
})

describe('sentences', () => {
  it.each([
    ['नमस्ते। आप कैसे हैं?', ['नमस्ते।', 'आप कैसे हैं?']],
    ['It costs 3.5 rupees. OK!', ['It costs 3.5 rupees.', 'OK!']],
    ['...', []],
    ['', []],
  ])('of %s', (text, expected) => expect(splitSentences(text)).toEqual(expected))

  it('are cut before they are too long, and nothing is lost', () => {
    const long = `${'एक लंबा वाक्य जो रुकता नहीं, '.repeat(30)}अंत`
    const parts = splitSentences(long)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(parts.join(' ')).toBe(long)
  })
})

describe('the first piece', () => {
  it.each([
    [
      'Your order was sent this morning, and it should reach you before the end of the week.',
      ['Your order was sent this morning,', 'and it should reach you before the end of the week.'],
    ],
    [
      'आपका ऑर्डर आज सुबह भेज दिया गया है और वह इस हफ़्ते के अंत से पहले आपके पास पहुँच जाएगा।',
      ['आपका ऑर्डर आज सुबह भेज दिया गया है', 'और वह इस हफ़्ते के अंत से पहले आपके पास पहुँच जाएगा।'],
    ],
    ['I heard: "when does the last train leave".', ['I heard:', '"when does the last train leave".']],
    ['It stands where nobody ever takes a breath at all.', ['It stands where nobody ever takes a breath at all.']],
    [
      'It stands where nobody ever takes a breath at all or even thinks of it.',
      ['It stands where nobody ever takes a', 'breath at all or even thinks of it.'],
    ],
  ])('of %s is short', (text, expected) => expect(splitSentences(text)).toEqual(expected))
})

describe('the silence around a piece', () => {
  const RATE_HZ = 24_000
  const sound = (beforeMs: number, soundMs: number, afterMs: number) =>
    Float32Array.from({ length: (beforeMs + soundMs + afterMs) * 24 }, (_, at) => {
      const isSound = at >= beforeMs * 24 && at < (beforeMs + soundMs) * 24
      return isSound ? 0.3 * Math.sin(at / 10) : 0.0001 * Math.sin(at)
    })
  const msOf = (text: string, samples = sound(400, 1000, 500)) => trimSilence(samples, text, RATE_HZ).length / 24

  it.each([
    ['Hello.', 60 + 1000 + 300],
    ['नमस्ते।', 60 + 1000 + 300],
    ['She said "no".', 60 + 1000 + 300],
    ['this morning,', 60 + 1000 + 160],
    ['to the', 60 + 1000 + 60],
  ])('is as long as a speaker rests after %s', (text, ms) => expect(msOf(text)).toBeCloseTo(ms, -1))

  it('is not made longer, and nothing is cut of silence alone', () => {
    expect(msOf('Hello.', sound(20, 1000, 30))).toBe(1050)
    expect(msOf('Hello.', new Float32Array(2400))).toBe(100)
  })
})

describe('spelling for Kokoro', () => {
  it.each([
    ['bˈʌr.aː', 'hi', 'bˈʌɽaː'],
    ['ɡʰˈʌɾ tʃaːj', 'hi', 'ɡʰˈʌɾ ʧaːj'],
    ['nˈaɪs tədˈeɪ', 'en', 'nˈIs tədˈA'],
    ['nˈiːŋɡʌɭ ˈiɹʉk', 'ta', 'nˈiːŋɡʌl ˈiɹuk'],
  ])('turns %s (%s) into %s', (ipa, language, expected) => expect(spellForKokoro(ipa, language)).toBe(expected))

  it('drops what Kokoro cannot say', () => {
    expect(toSymbols('a\u200db')).toEqual(toSymbols('ab'))
    expect(toSymbols(' ')).toEqual([16])
  })
})

describe('a voice', () => {
  it('is mixed from vectors the catalogue has', () => {
    const known = new Set(KOKORO_VOICE_FILES.map(({ path }) => path))
    for (const { id, blend } of KOKORO_VOICES)
      for (const part of Object.keys(blend)) expect(known, `${id} needs ${part}`).toContain(`${part}.bin`)
  })

  it('is one of the twelve, each with its language and gender', () => {
    const line = KOKORO_VOICES.map(({ id, language, gender }) => `${id} ${language} ${gender}`)
    expect(line).toEqual([
      'ananya hi female',
      'arjun hi male',
      'kabir hi male',
      'rohan hi male',
      'kavya ta female',
      'meena ta female',
      'surya ta male',
      'tara en female',
      'diya en female',
      'neel en male',
      'dev en male',
      'ishaan en male',
    ])
  })
})
