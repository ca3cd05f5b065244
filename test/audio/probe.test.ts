import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeAudio } from '../../src/audio/probe.ts'
import { encodeWav } from '../../src/audio/wav.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lipik-probe-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function probeBytes(bytes: Uint8Array | string) {
  const path = join(folder, 'file.mp3')
  await writeFile(path, bytes)
  return probeAudio(path)
}

describe('probing a file', () => {
  it('knows a wav whatever its name, and how long it is', async () => {
    const wav = encodeWav(new Float32Array(24_000))
    expect(await probeBytes(wav)).toEqual({
      format: 'wav',
      contentType: 'audio/wav',
      durationSeconds: 1.5,
      estimated: false,
    })
  })

  it('does not believe a wav that claims a terabyte', async () => {
    const wav = Buffer.from(encodeWav(new Float32Array(16_000)))
    wav.writeUInt32LE(0xff_ff_ff_f0, 40)
    expect(await probeBytes(wav)).toMatchObject({ format: 'wav', durationSeconds: 1 })
  })

  it.each([
    ['nothing at all', Buffer.alloc(0), 'audio_empty'],
    ['a wav of no samples', encodeWav(new Float32Array(0)), 'audio_empty'],
    ['a wav cut off in its header', encodeWav(new Float32Array(9)).subarray(0, 30), 'audio_corrupt'],
    ['text', Buffer.from('just some words, many of them '.repeat(500)), 'not_audio'],
    ['a zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5_000, 7)]), 'not_audio'],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n'), 'not_audio'],
    ['a concat script', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"), 'not_audio'],
    ['zeroes', Buffer.alloc(100_000), 'not_audio'],
  ])('refuses %s', async (_, bytes, code) => {
    await expect(probeBytes(bytes)).rejects.toMatchObject({ code })
  })
})
