import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countErrors } from '../../eval/error-rates.ts'
import { decodeAudio } from '../../src/audio/decode.ts'
import type { Ffmpeg } from '../../src/audio/ffmpeg.ts'
import { findFfmpeg } from '../../src/audio/find-ffmpeg.ts'
import { readConfig } from '../../src/main/config.ts'
import { openSpeech, type Speech } from '../../src/main/open-speech.ts'
import { transcribeFile } from '../../src/transcription/transcribe-file.ts'
import { fixtureClip } from '../support/fixture-clip.ts'
import { modelsDir } from '../support/models.ts'
import { encodeSound, type SoundFile } from '../support/sound-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const SAID = 'The train to the city leaves at nine in the evening.'
const CARRIERS = 18

describe('the same speech in every format', () => {
  let folder: TemporaryFolder
  let ffmpeg: Ffmpeg
  let speech: Speech
  let files: SoundFile[]

  beforeAll(async () => {
    folder = await makeTemporaryFolder()
    ffmpeg = await findFfmpeg()
    const env = { MODELS_DIR: modelsDir }
    const signal = new AbortController().signal
    speech = await openSpeech({ config: readConfig(env), env, note: () => {}, signal })
    files = await encodeSound(ffmpeg, folder.path, await fixtureClip('en-train'))
  }, 240_000)
  afterAll(async () => {
    await speech?.close()
    await ffmpeg?.close()
    await folder?.remove()
  })

  async function textOf({ name, bytes }: SoundFile): Promise<string> {
    const path = join(folder.path, name)
    await writeFile(path, bytes)
    const deps = { ffmpeg, limits: { maxSeconds: 60, maxBytes: 1e8 }, spoolDir: folder.path }
    const options = { languages: ['hi', 'en'], batchSize: 1 }
    const { transcript } = await transcribeFile(speech, decodeAudio(deps, path), options)
    return transcript.text
  }

  it('says the same, up to two words', async () => {
    expect(files).toHaveLength(CARRIERS)
    for (const file of files) {
      const text = await textOf(file)
      expect(countErrors(SAID, text, 'en').wordErrors, `${file.name}: ${text}`).toBeLessThanOrEqual(2)
    }
  }, 120_000)
})
