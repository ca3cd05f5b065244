import { describe, expect, it } from 'vitest'
import { segmentInScript, writeInScript } from '../../src/transcription/script/write-in-script.ts'
import { segmentOf } from './segments.ts'

const ROMAN = [
  ['नमस्ते', 'namaste'],
  ['करना', 'karna'],
  ['लड़का', 'ladka'],
  ['समझना', 'samajhna'],
  ['बदलना', 'badalna'],
  ['मतलब', 'matlab'],
  ['सरकार', 'sarkar'],
  ['भारत', 'bharat'],
  ['अपना', 'apna'],
  ['उनका', 'unka'],
  ['जनता', 'janta'],
  ['पता', 'pata'],
  ['नाम', 'naam'],
  ['काम', 'kaam'],
  ['ठीक', 'theek'],
  ['दूध', 'doodh'],
  ['पानी', 'pani'],
  ['आदमी', 'aadmi'],
  ['आप', 'aap'],
  ['क्या', 'kya'],
  ['बहुत', 'bahut'],
  ['अच्छा', 'accha'],
  ['ज़रूर', 'zarur'],
  ['फ़ैसला', 'faisla'],
  ['मित्र', 'mitra'],
  ['शब्द', 'shabd'],
  ['दोस्त', 'dost'],
  ['ज्ञान', 'gyaan'],
  ['संबंध', 'sambandh'],
  ['हिंदी', 'hindi'],
  ['लोगों', 'logon'],
  ['करें', 'karein'],
  ['हैं', 'hain'],
  ['हाँ', 'haan'],
  ['हूँ', 'hoon'],
  ['नहीं', 'nahi'],
  ['मैं', 'main'],
  ['में', 'mein'],
  ['वह', 'woh'],
  ['यहाँ', 'yahan'],
  ['चाहिए', 'chahiye'],
  ['राज्य', 'rajya'],
  ['पढ़ना', 'padhna'],
  ['बड़ा', 'bada'],
  ['कृपया', 'kripya'],
  ['दुःख', 'duhkh'],
] as const

const DEVANAGARI = [
  ['phone', 'फोन'],
  ['ATM', 'एटीएम'],
  ['Mobile Number', 'मोबाइल नंबर'],
  ['okay', 'ओके'],
  ['hai', 'है'],
  ['nahi', 'नहीं'],
  ['bat', 'बैट'],
  ['station', 'स्टेशन'],
  ['meeting', 'मीटिंग'],
  ['rocket', 'रॉकेट'],
  ['dinner', 'डिनेर'],
  ['network', 'नेट्वॉर्क'],
] as const

describe('writing in another script', () => {
  it.each(ROMAN)('%s is typed %s', (hindi, roman) => expect(writeInScript(hindi, 'roman')).toBe(roman))
  it.each(DEVANAGARI)('%s is written %s', (english, hindi) => expect(writeInScript(english, 'devanagari')).toBe(hindi))

  it('leaves what is already in Latin letters, and turns marks and digits', () => {
    expect(writeInScript('मेरा phone number है, ९८४०। ठीक है?', 'roman')).toBe('mera phone number hai, 9840. theek hai?')
  })

  it('leaves no letter of the other script behind', () => {
    const mixed = 'कल meeting है, please time पर आना। OTP 4512 है'
    expect(writeInScript(mixed, 'roman')).not.toMatch(/[\u0900-\u097f]/)
    expect(writeInScript(mixed, 'devanagari')).not.toMatch(/[A-Za-z]/)
  })

  it('leaves native text untouched', () => {
    const mixed = 'मेरा phone नंबर है'
    expect(writeInScript(mixed, 'native')).toBe(mixed)
  })

  it('writes the words of a segment as its text', () => {
    const segment = segmentInScript(segmentOf('मेरा नाम', 0, 1000), 'roman')
    expect([segment.text, ...segment.words.map(({ text }) => text)]).toEqual(['mera naam', 'mera', 'naam'])
  })
})
