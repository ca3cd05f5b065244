import { describe, expect, it } from 'vitest'
import type { CaptionAsk } from '../../../src/engines/whisper/caption-clips.ts'
import { createCaptionTagger } from '../../../src/engines/whisper/caption-tagger.ts'
import type { CaptionScores } from '../../../src/engines/whisper/caption-tree.ts'
import type { SoundCaptioner } from '../../../src/engines/whisper/sound-captioner.ts'
import { LipikError } from '../../../src/platform/errors.ts'
import type { Samples } from '../../../src/speech/ports.ts'

type Asked = CaptionAsk & { readonly clips: number }

/** Answers by what the clip holds, and remembers what it was asked. */
function listener(answer: (samples: Samples, ask: CaptionAsk) => CaptionScores): SoundCaptioner & { asked: Asked[] } {
  const asked: Asked[] = []
  return {
    asked,
    async caption(clips, ask) {
      asked.push({ ...ask, clips: clips.length })
      return clips.map((samples) => answer(samples, ask))
    },
  }
}

const SPEECH: CaptionScores = { sound: 0.01, tags: {} }
const clip = (seconds: number, level = 0.2) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, i) => level * Math.sin(i * 0.3))
const request = (samples: Samples) => ({ samples, language: 'en' })

describe('tagging by captions', () => {
  it('says nothing of speech, and asks nobody else about it', async () => {
    const [quick, thorough] = [listener(() => SPEECH), listener(() => SPEECH)]
    const tagger = createCaptionTagger({ quick, thorough })
    expect(await tagger.tag([request(clip(3)), request(clip(2))])).toEqual([
      { ok: true, value: [] },
      { ok: true, value: [] },
    ])
    expect(quick.asked).toEqual([{ window: 'short', isPrimed: false, clips: 2 }])
    expect(thorough.asked).toEqual([])
  })

  it('hears no sound in silence', async () => {
    const quick = listener(() => ({ sound: 0.9, tags: { applause: 0.9 } }))
    const [outcome] = await createCaptionTagger({ quick }).tag([request(new Float32Array(16_000))])
    expect(outcome).toEqual({ ok: true, value: [] })
    expect(quick.asked).toEqual([])
  })

  it('believes the quick listener where it is sure, and times the loud stretch', async () => {
    const quick = listener(() => ({ sound: 0.8, tags: { applause: 0.7 } }))
    const samples = new Float32Array(5 * 16_000)
    samples.set(clip(1), 2 * 16_000)
    const [outcome] = await createCaptionTagger({ quick }).tag([request(samples)])
    const applause = { tag: 'applause', confidence: 0.85, startMs: 1900, endMs: 3100, isAll: true }
    expect(outcome).toEqual({ ok: true, value: [applause] })
  })

  it('asks the thorough one what the quick one cannot name, in the whole window at last', async () => {
    const quick = listener(() => ({ sound: 0.3, tags: { laughing: 0.3 } }))
    const thorough = listener((_, { window }) => ({ sound: 0.5, tags: { coughing: window === 'whole' ? 0.6 : 0.05 } }))
    const [outcome] = await createCaptionTagger({ quick, thorough }).tag([request(clip(2))])
    expect(outcome?.ok && outcome.value.map(({ tag }) => tag)).toEqual(['coughing'])
    expect(thorough.asked.map(({ window }) => window)).toEqual(['short', 'whole'])
  })

  it('finds laughter under speech and where it is', async () => {
    const samples = clip(10)
    const laugh = samples.subarray(6 * 16_000, 8 * 16_000).fill(0.3)
    const share = (heard: Samples) => heard.filter((sample) => sample === laugh[0]).length / heard.length
    const quick = listener((heard) => ({ sound: 0.05, tags: { laughing: share(heard) } }))
    const [outcome] = await createCaptionTagger({ quick }).tag([request(samples)])
    expect(outcome?.ok && outcome.value).toMatchObject([{ tag: 'laughing' }])
    const [tag] = outcome?.ok ? outcome.value : []
    expect(tag?.startMs).toBeGreaterThanOrEqual(5_000)
    expect(tag?.endMs).toBeLessThanOrEqual(9_000)
  })

  it.each([
    ['a cough', { sound: 0.9, tags: { coughing: 0.7 } }, 'coughing'],
    ['nothing it can name', { sound: 0.4, tags: { laughing: 0.1 } }, 'laughing'],
  ])('asks the thorough one about half a laugh, which may hear %s', async (_, heard, tag) => {
    const quick = listener(() => ({ sound: 0.12, tags: { laughing: 0.06 } }))
    const thorough = listener(() => heard)
    const [outcome] = await createCaptionTagger({ quick, thorough }).tag([request(clip(1))])
    expect(outcome?.ok && outcome.value.map((each) => each.tag)).toEqual([tag])
    expect(thorough.asked).toEqual([{ window: 'short', isPrimed: true, clips: 1 }])
  })

  it('does not take a laugh for a laugh while nobody speaks and it is not sure', async () => {
    const quick = listener(() => ({ sound: 0.3, tags: { laughing: 0.35 } }))
    const [outcome] = await createCaptionTagger({ quick }).tag([request(clip(2))])
    expect(outcome).toEqual({ ok: true, value: [] })
  })

  it.each([
    ['a burst of laughter', 1, { sound: 0.7, tags: { laughing: 0.7 } }, undefined, true],
    ['a fit of laughter, in which somebody may speak', 4, { sound: 0.7, tags: { laughing: 0.7 } }, undefined, false],
    ['a laugh beside speech', 1, { sound: 0.3, tags: { laughing: 0.7 } }, undefined, false],
    ['a cough', 1, { sound: 0.3, tags: {} }, { sound: 0.9, tags: { coughing: 0.85 } }, true],
    ['perhaps a cough', 1, { sound: 0.3, tags: {} }, { sound: 0.9, tags: { coughing: 0.6 } }, false],
  ])('says whether words may be in %s', async (_, seconds, first, second, isAll) => {
    const [quick, thorough] = [listener(() => first), listener(() => second ?? first)]
    const [outcome] = await createCaptionTagger({ quick, thorough }).tag([request(clip(seconds))])
    expect(outcome?.ok && outcome.value.map((each) => each.isAll ?? false)).toEqual([isAll])
  })

  it('tells of an engine that failed, clip by clip, and passes on that somebody gave up', async () => {
    const failing = (code: 'engine_crashed' | 'cancelled') =>
      createCaptionTagger({
        quick: {
          caption: () => Promise.reject(new LipikError(code, 'no')),
        },
      }).tag([request(clip(1)), request(clip(1))])
    expect((await failing('engine_crashed')).map(({ ok }) => ok)).toEqual([false, false])
    await expect(failing('cancelled')).rejects.toMatchObject({ code: 'cancelled' })
  })
})
