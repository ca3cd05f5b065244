import { afterAll, describe, expect, it } from 'vitest'
import { createEspeakPhonemizer } from '../../../src/engines/espeak/espeak-phonemizer.ts'

const phonemizer = createEspeakPhonemizer()
afterAll(() => phonemizer.close())

describe('espeak-ng', () => {
  it('writes the sounds of each language, without its own marks', async () => {
    const spoken = await phonemizer.phonemize([
      { text: 'बड़ा घर', language: 'hi' },
      { text: 'nice day', language: 'en' },
      { text: 'வணக்கம்', language: 'ta' },
    ])
    expect(spoken).toEqual(['bˈʌr.aː ɡʰˈʌɾ', 'nˈaɪs dˈeɪ', 'vˈʌɳʌkkʌm'])
  })

  it('does not name the language it changes to', async () => {
    const [mixed] = await phonemizer.phonemize([{ text: 'कल meeting में', language: 'hi' }])
    expect(mixed).toMatch(/^kˈʌl mˈiːtɪŋ m/)
  })
})
