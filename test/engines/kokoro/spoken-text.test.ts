import { describe, expect, it } from 'vitest'
import { toSymbols } from '../../../src/engines/kokoro/kokoro-symbols.ts'
import { KOKORO_VOICES } from '../../../src/engines/kokoro/kokoro-voices.ts'
import { spellForKokoro } from '../../../src/engines/kokoro/spell-for-kokoro.ts'
import { splitSentences } from '../../../src/engines/kokoro/split-sentences.ts'
import { splitSpokenText } from '../../../src/engines/kokoro/split-spoken-text.ts'
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
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(160)
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
    ['A short one. Then one more, that is somewhat longer than the first, as they often are.', 2],
  ])('of %s is short', (text, expected) => {
    const parts = splitSentences(text)
    if (typeof expected === 'number') expect(parts).toHaveLength(expected)
    else expect(parts).toEqual(expected)
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
