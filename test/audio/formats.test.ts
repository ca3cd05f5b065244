import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeAudio } from '../../src/audio/decode.ts'
import type { Ffmpeg } from '../../src/audio/ffmpeg.ts'
import { findFfmpeg } from '../../src/audio/find-ffmpeg.ts'
import { probeAudio } from '../../src/audio/probe.ts'
import { makeSoundFiles, type SoundFile } from '../support/sound-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const SECONDS = 6
const LIMITS = { maxSeconds: 3600, maxBytes: 1e8 }

let folder: TemporaryFolder
let ffmpeg: Ffmpeg
let files: SoundFile[]

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  ffmpeg = await findFfmpeg()
  files = await makeSoundFiles(ffmpeg, folder.path, SECONDS)
  for (const { name, bytes } of files) await writeFile(join(folder.path, name), bytes)
})
afterAll(async () => {
  await ffmpeg?.close()
  await folder?.remove()
})

async function decodedSeconds(input: string | AsyncIterable<Uint8Array>): Promise<number> {
  let samples = 0
  const deps = { ffmpeg, limits: LIMITS, spoolDir: folder.path }
  for await (const block of decodeAudio(deps, input)) samples += block.samples.length
  return samples / 16_000
}

const NAMES = [
  ...['pcm.wav', 'stereo-44k.wav', 'float.wav', 'mu-law-8k.wav', 'a-law-8k.wav', 'gsm.wav', 'cbr.mp3', 'vbr.mp3'],
  ...['adts.aac', 'opus.ogg', 'vorbis.ogg', 'flac.ogg', 'plain.flac', 'browser.webm', 'film.mkv', 'live.mp4'],
  ...[
    'index-last.m4a',
    'index-first.mp4',
    'quicktime.mov',
    'telephone.3gp',
    'narrow.amr',
    'pause.amr',
    'wide.amr',
    'raw.gsm',
  ],
]

describe.each(NAMES)('%s', (name) => {
  const path = () => join(folder.path, name)

  it('is known by its content', async () => {
    expect((await probeAudio(path())).format).toBe(files.find((file) => file.name === name)?.format)
  })

  it('decodes to the length of the sound it was made from', async () => {
    expect(Math.abs((await decodedSeconds(path())) - SECONDS)).toBeLessThanOrEqual(0.03)
  })

  it('tells about how long it is without being decoded', async () => {
    const { durationSeconds, estimated } = await probeAudio(path())
    expect(Math.abs(durationSeconds - SECONDS)).toBeLessThanOrEqual(estimated ? SECONDS * 0.75 : 0.05)
  })
})

describe('bytes from storage', () => {
  it('decode like a file, an index at the end included, and leave nothing behind', async () => {
    async function* bytes() {
      yield await readFile(join(folder.path, 'index-last.m4a'))
    }
    expect(await decodedSeconds(bytes())).toBe(await decodedSeconds(join(folder.path, 'index-last.m4a')))
  })
})
