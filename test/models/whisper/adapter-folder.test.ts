import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAdapterFolder } from '../../../src/models/whisper/adapter-folder.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

describe('the folder of an adapter', () => {
  let folder: TemporaryFolder
  const put = (name: string, text = '') => writeFile(join(folder.path, name), text)
  beforeEach(async () => {
    folder = await makeTemporaryFolder()
  })
  afterEach(() => folder.remove())

  it('gives its files in order and what adapter.json says', async () => {
    await Promise.all([put('b.safetensors'), put('a.safetensors'), put('card.md')])
    await put('adapter.json', '{ "languages": ["mr"] }')
    expect(await openAdapterFolder(folder.path)).toEqual({
      files: [join(folder.path, 'a.safetensors'), join(folder.path, 'b.safetensors')],
      languages: ['mr'],
    })
  })

  it('teaches Hindi where nothing is said', async () => {
    await put('a.safetensors')
    expect(await openAdapterFolder(folder.path)).toMatchObject({ languages: ['hi'] })
  })

  it('says which file is wrong, and where', async () => {
    await put('a.safetensors')
    await put('adapter.json', '{ "langauges": ["hi"] }')
    await expect(openAdapterFolder(folder.path)).rejects.toThrow(/adapter\.json: .*langauges/s)
    await put('adapter.json', '{ "languages": [] }')
    await expect(openAdapterFolder(folder.path)).rejects.toThrow(/languages/)
  })

  it('must be there and hold an adapter', async () => {
    await expect(openAdapterFolder(folder.path)).rejects.toThrow(/no safetensors file/)
    await expect(openAdapterFolder(join(folder.path, 'none'))).rejects.toThrow(/names no folder/)
  })
})
