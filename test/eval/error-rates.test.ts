import { describe, expect, it } from 'vitest'
import { countErrors, editDistance, rates } from '../../eval/error-rates.ts'
import { inventedWords, isRunaway, isTranslated, isUrduScript } from '../../eval/find-faults.ts'
import { normaliseText } from '../../eval/normalise-text.ts'
import { spellNumber } from '../../eval/spell-number.ts'

describe('the normaliser', () => {
  it.each([
    ['हूँ', 'हूं', 'chandrabindu and anusvara'],
    ['ज़रूर', 'जरूर', 'a nukta written apart'],
    ['\u095bरूर', 'जरूर', 'a nukta inside the letter'],
    ['पढ़ाई लड़का', 'पढाई लडका', 'the flaps'],
    ['नमस्ते, आप कैसे हैं?', 'नमस्ते आप कैसे हैं', 'punctuation'],
    ['ठीक है।', 'ठीक है', 'the danda'],
    ['राम\u200dचंद्र', 'रामचंद्र', 'a joiner'],
    ['५ बजे', '5 बजे', 'Devanagari digits'],
    ['5 बजे', 'पाँच बजे', 'a number and its words'],
    ['1,20,000 रुपये', 'एक लाख बीस हज़ार रुपये', 'commas inside a number'],
    ['haan [laughing] ok', 'haan ok', 'tags'],
  ])('hears no difference between %s and %s: %s', (one, other) => {
    expect(normaliseText(one, 'hi')).toBe(normaliseText(other, 'hi'))
  })

  it.each([
    ['Don’t', 'dont', 'apostrophes and case'],
    ['At 9 o’clock.', 'at nine oclock', 'English numbers'],
    ['well-known', 'well known', 'hyphens'],
    ['1847', 'one thousand eight hundred forty seven', 'long numbers'],
  ])('hears no difference between %s and %s: %s', (one, other) => {
    expect(normaliseText(one, 'en')).toBe(normaliseText(other, 'en'))
  })

  it('keeps what is a difference', () => {
    expect(normaliseText('की', 'hi')).not.toBe(normaliseText('कि', 'hi'))
    expect(normaliseText('मेरा नाम', 'hi')).toBe('मेरा नाम')
    expect(normaliseText('कर्म', 'hi')).toBe('कर्म')
  })

  it('spells codes digit by digit', () => {
    expect(spellNumber('007', 'en')).toBe('zero zero seven')
    expect(spellNumber('99', 'hi')).toBe('निन्यानवे')
    expect(spellNumber('2014', 'hi')).toBe('दो हज़ार चौदह')
  })
})

describe('error rates', () => {
  it('count insertions, deletions and substitutions', () => {
    expect(editDistance(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toBe(2)
    expect(editDistance([], ['a', 'b'])).toBe(2)
    expect(editDistance(['a', 'b'], [])).toBe(2)
  })

  it('are percentages of what was said', () => {
    const errors = countErrors('मेरा नाम राजेश है', 'मेरा नाम राकेश', 'hi')
    expect(errors).toMatchObject({ words: 4, wordErrors: 2 })
    expect(rates(errors).wer).toBe(50)
    expect(rates(errors).cer).toBeGreaterThan(0)
  })
})

describe('faults', () => {
  it('sees Arabic letters', () => {
    expect(isUrduScript('یہ اردو ہے')).toBe(true)
    expect(isUrduScript('यह हिन्दी है, this is English')).toBe(false)
  })

  it('sees Hindi that came back as English', () => {
    expect(isTranslated('मेरा नाम राजेश है', 'My name is Rajesh', 'hi')).toBe(true)
    expect(isTranslated('मेरा नाम राजेश है', 'मेरा नाम Rajesh है', 'hi')).toBe(false)
    expect(isTranslated('मेरा account balance', 'my account balance', 'hi')).toBe(false)
    expect(isTranslated('my name is', 'my name is', 'en')).toBe(false)
  })

  it('counts invented words, not tags', () => {
    expect(inventedWords('[music] [noise]')).toBe(0)
    expect(inventedWords('Thank you. [music]')).toBe(2)
  })

  it('sees a loop', () => {
    expect(isRunaway('और', 'और '.repeat(20))).toBe(true)
    expect(isRunaway('', 'वो गया और '.repeat(12))).toBe(true)
    expect(isRunaway('नहीं मैं नहीं जाऊँगा', 'नहीं नहीं नहीं मैं नहीं जाऊँगा')).toBe(false)
  })

  it('sees a sentence written twice, unless it was said twice', () => {
    const once = 'आपका ऑर्डर कल तक पहुँच जाएगा जी'
    expect(isRunaway(once, `${once} ${once}`)).toBe(true)
    expect(isRunaway(`${once} ${once}`, `${once} ${once}`)).toBe(false)
  })
})
