import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptTokens } from '../../../src/models/whisper/kept-tokens.ts'
import { testModel } from '../../support/models.ts'

describe('the tokens that may be written', async () => {
  const { dir } = await testModel('whisper-tiny')
  const { model } = JSON.parse(await readFile(join(dir, 'tokenizer.json'), 'utf8'))
  const vocabulary: Record<string, number> = model.vocab
  const allowed = new Set(keptTokens(vocabulary, 51_865))
  const isAllowed = (token: string) => allowed.has(vocabulary[token] ?? -1)

  it.each(['ello', 'Ġthe', '!', 'Ġ20', 'à¤', '¾', 'Ġà¤'])('keeps %s', (token) => {
    expect(vocabulary[token]).toBeDefined()
    expect(isAllowed(token)).toBe(true)
  })

  it.each(['Ø§ÙĦ', 'ĠÐ¿', 'çļĦ', 'à¦', 'ãģ', 'Ã©'])('drops %s, a piece of another script', (token) => {
    expect(vocabulary[token]).toBeDefined()
    expect(isAllowed(token)).toBe(false)
  })

  it('keeps every sign of the protocol, in the order of the published numbers', () => {
    const list = keptTokens(vocabulary, 51_865)
    expect(list.slice(-1608)).toEqual(Array.from({ length: 1608 }, (_, at) => 50_257 + at))
    expect(list).toEqual(list.toSorted((a, b) => a - b))
    expect(list.length).toBeLessThan(45_000)
  })

  it('can spell every letter of Devanagari from its bytes', () => {
    const bytes = new Set([...'\u0900\u093c\u0966\u097f।'].flatMap((letter) => [...Buffer.from(letter)]))
    expect([...bytes].every((byte) => isAllowed(String.fromCharCode(byte >= 0xa1 ? byte : byte + 162)))).toBe(true)
  })
})
