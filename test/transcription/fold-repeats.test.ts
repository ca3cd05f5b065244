import { describe, expect, it } from 'vitest'
import { foldRepeats } from '../../src/transcription/fold-repeats.ts'

describe('a text that repeats itself', () => {
  it('is folded when nobody could have said it so fast', () => {
    expect(foldRepeats('क्या पहनने वाली हो? क्या पहनने वाली हो? क्या पहनने', 1.5)).toBe('क्या पहनने वाली हो?')
    expect(foldRepeats('one two three. One two three.', 1)).toBe('one two three.')
  })

  it('stays when there was time for it', () => {
    expect(foldRepeats('haan haan theek hai haan haan theek hai', 4)).toBe('haan haan theek hai haan haan theek hai')
  })

  it('stays when it does not repeat itself to the end', () => {
    const text = 'ek do teen chaar ek do teen paanch'
    expect(foldRepeats(text, 0.5)).toBe(text)
  })
})
