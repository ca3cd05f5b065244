import { beforeAll, describe, expect, it } from 'vitest'
import { ClipCaptioner } from '../../../src/engines/whisper/caption-clips.ts'
import { ClipStates } from '../../../src/engines/whisper/clip-states.ts'
import { openPreparedModel } from '../../../src/engines/whisper/prepared-graph.ts'
import { readVocabulary } from '../../../src/engines/whisper/whisper-vocabulary.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'
import { preparedWhisper } from '../../support/prepared-whisper.ts'

const signal = new AbortController().signal

/** A tune on a plucked string. */
function tune(seconds: number): Float32Array {
  const notes = [262, 330, 392, 523, 392, 330, 294, 349]
  return Float32Array.from({ length: seconds * 16_000 }, (_, i) => {
    const [note, at] = [Math.floor(i / 4_000), (i % 4_000) / 16_000]
    const phase = 2 * Math.PI * (notes[note % notes.length] ?? 0) * at
    const string = Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(3 * phase)
    return 0.15 * string * Math.exp(-6 * at)
  })
}

describe('captions of the smallest model', () => {
  let captioner: ClipCaptioner
  let encoded = 0

  beforeAll(async () => {
    const folder = await preparedWhisper('whisper-tiny')
    const { adapted: opened } = await openPreparedModel(folder, 1)
    const graph = {
      ...opened,
      encode: (mel: Float32Array, frames: number) => {
        encoded += 1
        return opened.encode(mel, frames)
      },
    }
    captioner = new ClipCaptioner(graph, await readVocabulary(folder), new ClipStates(graph))
  }, 240_000)

  it('tell speech from a tune', async () => {
    const clips = [await fixtureClip('hi-rain'), await fixtureClip('en-office'), tune(5)]
    const ask = { window: 'short', isPrimed: false } as const
    const [hindi, english, music] = await captioner.caption(clips, ask, signal)
    for (const speech of [hindi, english]) {
      expect(speech?.sound).toBeLessThan(0.1)
      expect(speech?.tags.laughing).toBeLessThan(0.03)
      expect(speech?.tags.music).toBeLessThan(music?.tags.music ?? 0)
    }
    expect(music?.sound).toBeGreaterThan(0.2)
    const known = encoded
    await captioner.caption(clips, ask, signal)
    expect(encoded, 'a clip is encoded once').toBe(known)
  }, 60_000)
})
