import { describe, expect, it } from 'vitest'
import { openTurnHearing, type TurnHearing } from '../../src/realtime/hear-turn.ts'
import type { ChunkRequest, ChunkTranscriber } from '../../src/speech/ports.ts'
import { eventually } from '../support/eventually.ts'
import { instantTranscript } from '../support/instant-engine.ts'

const SECOND = 16_000

type Asked = {
  readonly request: ChunkRequest
  readonly signal: AbortSignal
  answer(text: string, language?: string): void
  fail(): void
}

/** A transcriber whose answers the test gives; a request that is aborted fails. */
function scriptedEar() {
  const asked: Asked[] = []
  const transcriber: ChunkTranscriber = {
    transcribe: ([request], signal) =>
      new Promise((resolve, reject) => {
        if (!request || !signal) throw new Error('one request with a signal')
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        const answer = (text: string, language = 'hi') => {
          const { segments } = instantTranscript(text)
          const spoken = text === '' ? [] : segments
          resolve([
            { ok: true, value: { language, languageScores: { [language]: 1 }, segments: spoken, engine: 'script' } },
          ])
        }
        asked.push({ request, signal, answer, fail: () => resolve([{ ok: false, error: new Error('deaf') }]) })
      }),
    close: async () => undefined,
  }
  const deltas: string[] = []
  const hearing = openTurnHearing({ transcriber, languages: ['hi', 'en'], onDelta: (text) => deltas.push(text) })
  const ask = async (count: number): Promise<Asked> => {
    await eventually(
      async () => asked.length,
      (length) => length === count,
    )
    const last = asked[count - 1]
    if (!last) throw new Error('not asked')
    return last
  }
  return { hearing, asked, deltas, ask }
}

const speak = (hearing: TurnHearing, seconds: number) => hearing.push(new Float32Array(seconds * SECOND).fill(0.1))

describe('hearing a turn', () => {
  it('begins at the pause and has the text when the turn ends', async () => {
    const { hearing, asked, deltas, ask } = scriptedEar()
    speak(hearing, 2)
    hearing.pauseBegan()
    const early = await ask(1)
    expect(early.request.samples).toHaveLength(2 * SECOND)
    early.answer('नमस्ते')
    speak(hearing, 0.4)
    expect(await hearing.finish()).toEqual({ text: 'नमस्ते', language: 'hi', durationMs: 2400 })
    expect(asked).toHaveLength(1)
    expect(deltas).toEqual(['नमस्ते'])
  })

  it('throws away what it began when a short piece goes on, and hears it as a whole', async () => {
    const { hearing, asked, deltas, ask } = scriptedEar()
    speak(hearing, 1)
    hearing.pauseBegan()
    const early = await ask(1)
    hearing.speechWentOn()
    expect(early.signal.aborted).toBe(true)
    speak(hearing, 1)
    const finished = hearing.finish()
    const whole = await ask(2)
    expect(whole.request.samples).toHaveLength(2 * SECOND)
    whole.answer('all of it', 'en')
    expect(await finished).toEqual({ text: 'all of it', language: 'en', durationMs: 2000 })
    expect([asked.length, deltas]).toEqual([2, ['all of it']])
  })

  it('keeps a long piece that a pause closed, and gives its text while the rest is spoken', async () => {
    const { hearing, deltas, ask } = scriptedEar()
    speak(hearing, 4)
    hearing.pauseBegan()
    speak(hearing, 0.2)
    hearing.speechWentOn()
    const first = await ask(1)
    first.answer('पहला', 'hi')
    await eventually(
      async () => deltas.join(''),
      (told) => told === 'पहला',
    )
    speak(hearing, 1)
    const finished = hearing.finish()
    const second = await ask(2)
    expect(second.request.samples).toHaveLength(1.2 * SECOND)
    expect(second.request.languageScores, 'too short to be judged alone').toEqual({ hi: 1 })
    second.answer('second', 'en')
    expect(await finished).toEqual({ text: 'पहला second', language: 'hi', durationMs: 5200 })
    expect(deltas.join('')).toBe('पहला second')
  })

  it('cuts a stretch without a pause before it is too long for a recogniser', async () => {
    const { hearing, deltas, ask } = scriptedEar()
    for (let second = 0; second < 60; second++) speak(hearing, 1)
    const finished = hearing.finish()
    let samples = 0
    for (let piece = 1; samples < 60 * SECOND; piece++) {
      const asked = await ask(piece)
      expect(asked.request.samples.length).toBeLessThanOrEqual(24 * SECOND)
      samples += asked.request.samples.length
      asked.answer(`piece${piece}`, 'en')
    }
    const { text, durationMs } = await finished
    expect([samples, durationMs, text]).toEqual([60 * SECOND, 60_000, deltas.join('')])
  })

  it('says nothing of an empty turn or one without words', async () => {
    const { hearing, asked, deltas } = scriptedEar()
    expect(await hearing.finish()).toEqual({ text: '', language: null, durationMs: 0 })
    expect(asked).toEqual([])
    const noise = scriptedEar()
    speak(noise.hearing, 1)
    const finished = noise.hearing.finish()
    ;(await noise.ask(1)).answer('')
    expect(await finished).toEqual({ text: '', language: null, durationMs: 1000 })
    expect([deltas, noise.deltas]).toEqual([[], []])
  })

  it('stops the recogniser when cancelled, and reports nothing more', async () => {
    const { hearing, deltas, ask } = scriptedEar()
    speak(hearing, 4)
    hearing.pauseBegan()
    const early = await ask(1)
    const finished = hearing.finish()
    hearing.cancel()
    expect(early.signal.aborted).toBe(true)
    await expect(finished).rejects.toThrow()
    expect(deltas).toEqual([])
  })

  it('fails with the error of the recogniser', async () => {
    const { hearing, ask } = scriptedEar()
    speak(hearing, 1)
    const finished = hearing.finish()
    ;(await ask(1)).fail()
    await expect(finished).rejects.toThrow('deaf')
  })
})
