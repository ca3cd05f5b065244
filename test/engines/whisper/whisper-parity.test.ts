import { sep } from 'node:path'
import { env, pipeline } from '@huggingface/transformers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ClipStates } from '../../../src/engines/whisper/clip-states.ts'
import { LogMel } from '../../../src/engines/whisper/log-mel.ts'
import { openPreparedModel } from '../../../src/engines/whisper/prepared-graph.ts'
import { ClipTranscriber } from '../../../src/engines/whisper/transcribe-clips.ts'
import { readVocabulary } from '../../../src/engines/whisper/whisper-vocabulary.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'
import { modelsDir } from '../../support/models.ts'
import { preparedWhisper } from '../../support/prepared-whisper.ts'

const WINDOW_FRAMES = 3_000
const CLIPS = [
  { name: 'en-office', language: 'en' },
  { name: 'en-train', language: 'en' },
  { name: 'en-report', language: 'en' },
]

async function openPublished() {
  env.allowRemoteModels = false
  env.localModelPath = `${modelsDir}${sep}`
  return pipeline('automatic-speech-recognition', 'whisper-tiny', {
    dtype: 'q8',
    session_options: { intraOpNumThreads: 1 },
  })
}

describe('beside transformers.js, with guards off', () => {
  let published: Awaited<ReturnType<typeof openPublished>>
  let transcriber: ClipTranscriber
  let end = 0

  beforeAll(async () => {
    const folder = await preparedWhisper('whisper-tiny')
    const vocabulary = await readVocabulary(folder)
    const { adapted: graph } = await openPreparedModel(folder, 1)
    const scripts = ['Latin', 'Devanagari']
    transcriber = new ClipTranscriber({
      graph,
      vocabulary,
      states: new ClipStates(graph),
      scripts,
      withTimestamps: false,
      window: 'whole',
      hasGuards: false,
      beams: 1,
    })
    end = vocabulary.end
    published = await openPublished()
  }, 240_000)

  it('sees the same spectrogram', async () => {
    const samples = await fixtureClip('hi-rain')
    const { input_features } = await published.processor(samples)
    const mel = new Float32Array(80 * WINDOW_FRAMES)
    new LogMel(80).compute(samples, WINDOW_FRAMES, mel)
    const farthest = mel.reduce((most, value, i) => Math.max(most, Math.abs(value - input_features.data[i])), 0)
    expect(farthest).toBeLessThan(1e-5)
  })

  it.each(CLIPS)('writes the same tokens for $name', async ({ name, language }) => {
    const samples = await fixtureClip(name)
    const [own] = await transcriber.decode([{ samples, language }], new AbortController().signal)
    const features = await published.processor(samples)
    const written = await published.model.generate({ ...features, language, task: 'transcribe' })
    // The generated ids are one row of int64 tokens: four of the prompt, the text, the end.
    const tokens = (written as { tolist(): bigint[][] }).tolist()[0]?.slice(4).map(Number) ?? []
    expect(own?.tokens).toEqual(tokens.filter((token) => token !== end))
  }, 60_000)
})
