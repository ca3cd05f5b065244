import { describe, expect, it } from 'vitest'
import { latinWordsKept } from '../../eval/mixed-words.ts'

describe('English words inside a Hindi sentence', () => {
  it.each([
    { said: 'मेरी flight late है।', heard: 'मेरी Flight late है', words: 2, right: 2 },
    { said: 'मेरी flight late है।', heard: 'मेरी फ्लाइट lait है', words: 2, right: 0 },
    { said: 'call पर call आई', heard: 'call पर कॉल आई', words: 2, right: 1 },
    { said: 'सब ठीक है', heard: 'sab ok', words: 0, right: 0 },
  ])('$heard', ({ said, heard, words, right }) => {
    expect(latinWordsKept(said, heard)).toEqual({ words, right })
  })
})
