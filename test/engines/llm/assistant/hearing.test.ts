import { describe, expect, it } from 'vitest'
import { hearNumbers } from '../../../../src/engines/llm/assistant/hear-numbers.ts'
import { hearDate, hearTime } from '../../../../src/engines/llm/assistant/hear-times.ts'
import { heardWords, isSameWord, keyOf } from '../../../../src/engines/llm/assistant/heard-words.ts'
import { HINDI_NUMBERS, numberWords } from '../../../../src/speech/number-words.ts'

const numbersIn = (text: string) => hearNumbers(heardWords(text)).map(({ digits }) => digits)

describe('numbers in what was said', () => {
  it.each([
    ['send 500 rupees', ['500']],
    ['₹1,25,000 please', ['125000']],
    ['five hundred and twenty three', ['523']],
    ['two lakh fifty thousand', ['250000']],
    ['twenty one tickets', ['21']],
    ['पाँच सौ रुपये भेजो', ['500']],
    ['पांच हज़ार दो सौ', ['5200']],
    ['ढाई लाख', ['250000']],
    ['डेढ़ सौ', ['150']],
    ['साढ़े पाँच', ['5.5']],
    ['साढ़े तीन हज़ार', ['3500']],
    ['सैंतालीस', ['47']],
    ['paanch sau rupaye', ['500']],
    ['pachees hazaar', ['25000']],
    ['do log aur teen kamre', ['2', '3']],
    ['saat baje', ['7']],
    ['saath kilo', ['60']],
    ['nine eight seven six five', ['98765']],
    ['नौ आठ सात छह', ['9876']],
    ['double nine eight seven', ['9987']],
    ['5 लाख', ['500000']],
    ['98765 43210', ['9876543210']],
    ['what do you do', []],
    ['बत्ती जलाओ, batti jalao', []],
    ['', []],
  ])('%s', (text, expected) => expect(numbersIn(text)).toEqual(expected))

  it('is the other way round from saying them, in Hindi and English', () => {
    for (const value of [0, 7, 19, 40, 99, 100, 101, 347, 1_000, 1_999, 20_050, 100_000, 1_234_567, 30_000_000]) {
      for (const language of ['hi', 'en'] as const)
        expect(numbersIn(numberWords(value, language))).toEqual([String(value)])
    }
    for (const [value, word] of HINDI_NUMBERS.entries()) expect(numbersIn(word)).toEqual([String(value)])
  })
})

describe('days and times in what was said', () => {
  // A Wednesday.
  const now = new Date(2026, 6, 15, 10, 0)
  it.each([
    ['book it for tomorrow', '2026-07-16'],
    ['कल का टिकट', '2026-07-16'],
    ['parson aana', '2026-07-17'],
    ['आज', '2026-07-15'],
    ['next friday', '2026-07-17'],
    ['सोमवार को', '2026-07-20'],
    ['wednesday', '2026-07-22'],
    ['on 15 August', '2026-08-15'],
    ['August 3rd', '2026-08-03'],
    ['3 मार्च', '2027-03-03'],
    ['पंद्रह अगस्त', '2026-08-15'],
    ['5/8/2026', '2026-08-05'],
    ['2026-12-01', '2026-12-01'],
    ['31 february', undefined],
    ['maybe later', undefined],
  ])('%s', (text, date) => expect(hearDate(text, now)).toBe(date))

  it.each([
    ['at 5 pm', '17:00'],
    ['5pm', '17:00'],
    ['10:30', '10:30'],
    ['शाम 5 बजे', '17:00'],
    ['सुबह दस बजे', '10:00'],
    ['saat baje', '07:00'],
    ['रात साढ़े आठ बजे', '20:30'],
    ['5 tickets', undefined],
  ])('%s', (text, time) => expect(hearTime(text)).toBe(time))
})

describe('words of two scripts', () => {
  it.each([
    ['दिल्ली', 'Delhi', true],
    ['मुंबई', 'mumbai', true],
    ['सेल्सियस', 'celsius', true],
    ['मौसम', 'weather', true],
    ['बैलेंस', 'balance', true],
    ['पुणे', 'Delhi', false],
    ['red', 'blue', false],
  ])('%s and %s: %s', (a, b, same) => expect(isSameWord(keyOf(a), keyOf(b))).toBe(same))
})
