import { describe, expect, it } from 'vitest'
import { tidyText } from '../../src/transcription/tidy-text.ts'

const HINDI = [
  ['  नमस्ते   जी ', 'नमस्ते जी'],
  ['कुल १२५ रुपये', 'कुल 125 रुपये'],
  ['वह आया.', 'वह आया।'],
  ['वह आया . फिर गया', 'वह आया। फिर गया'],
  ['हाँ|ठीक है', 'हाँ। ठीक है'],
  ['रुको ,भाई', 'रुको, भाई'],
  ['2.5 किलो', '2.5 किलो'],
  ['email bhejo.', 'email bhejo.'],
  ['क्या।।', 'क्या।'],
  ['ज\u093cरूर', 'ज़रूर'.normalize('NFC')],
] as const

describe('tidying recognised text', () => {
  it.each(HINDI)('%s becomes %s', (raw, tidy) => expect(tidyText(raw, 'hi')).toBe(tidy))

  it('leaves English stops alone', () => expect(tidyText('It is 5 p.m. now .', 'en')).toBe('It is 5 p.m. now.'))
})
