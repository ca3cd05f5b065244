import { afterAll, describe, expect, it } from 'vitest'
import { createSileroVoiceDetector } from '../../src/engines/silero/silero-voice-detector.ts'
import { createTurnDetector } from '../../src/realtime/turn-detector.ts'
import type { TurnEvent } from '../../src/realtime/turn-machine.ts'
import type { Samples } from '../../src/speech/ports.ts'
import { fixtureClip } from '../support/fixture-clip.ts'
import { createLoudnessDetector } from '../support/loudness-detector.ts'
import { testModel } from '../support/models.ts'

const SETTINGS = { threshold: 0.5, prefixPaddingMs: 300, silenceDurationMs: 500 }
const MS = 16

const sound = (...stretches: readonly (readonly [ms: number, level: number])[]): Samples =>
  Float32Array.from(stretches.flatMap(([ms, level]) => Array.from({ length: ms * MS }, () => level)))

async function hear(
  samples: Samples,
  size: number,
  detector = createTurnDetector({ detector: createLoudnessDetector(), settings: SETTINGS }),
) {
  const events: TurnEvent[] = []
  for (let at = 0; at < samples.length; at += size) events.push(...(await detector.push(samples.slice(at, at + size))))
  return events
}

const silero = createSileroVoiceDetector({
  model: (await testModel('silero-vad-v6')).files['silero_vad_v6.onnx'] ?? '',
})
afterAll(() => silero.close())

describe('the turn detector', () => {
  const twoTurns = sound([640, 0], [960, 0.3], [960, 0], [640, 0.3], [960, 0])

  it('gives the same events whatever the pieces, and several turns in one push', async () => {
    const whole = await hear(twoTurns, twoTurns.length)
    expect(whole.filter(({ kind }) => kind === 'started' || kind === 'stopped')).toEqual([
      { kind: 'started', atMs: 340 },
      { kind: 'stopped', atMs: 2048, startMs: 340 },
      { kind: 'started', atMs: 2260 },
      { kind: 'stopped', atMs: 3648, startMs: 2260 },
    ])
    expect(await hear(twoTurns, 331)).toEqual(whole)
  })

  it('counts from where the session already is, keeps what a turn may need and no more', async () => {
    const detector = createTurnDetector({ detector: createLoudnessDetector(), settings: SETTINGS, startMs: 10_000 })
    await hear(sound([3200, 0]), 512, detector)
    expect(detector.keepFromMs()).toBe(13_200 - 300)
    expect(await hear(sound([640, 0.3]), 512, detector)).toEqual([{ kind: 'started', atMs: 12_900 }])
    expect(detector.keepFromMs()).toBe(12_900)
  })

  it('forgets a running turn when told, and begins the next not before', async () => {
    const detector = createTurnDetector({ detector: createLoudnessDetector(), settings: SETTINGS })
    await hear(sound([640, 0.3]), 512, detector)
    detector.reset(1000)
    expect(await hear(sound([320, 0.3]), 512, detector), 'audio that was handed over').toEqual([])
    expect(await hear(sound([320, 0.3]), 512, detector)).toEqual([{ kind: 'started', atMs: 1000 }])
  })

  it('takes new settings for what comes', async () => {
    const detector = createTurnDetector({
      detector: createLoudnessDetector(),
      settings: { ...SETTINGS, minSpeechMs: 400 },
    })
    expect(await hear(sound([320, 0.3]), 512, detector)).toEqual([])
    detector.configure(SETTINGS)
    expect(await hear(sound([32, 0.3]), 512, detector)).toEqual([{ kind: 'started', atMs: 0 }])
  })

  it('closes its stream', async () => {
    const voices = createLoudnessDetector()
    const detector = createTurnDetector({ detector: voices, settings: SETTINGS })
    await detector.push(sound([32, 0]))
    expect(voices.openStreams()).toBe(1)
    await detector.close()
    expect(voices.openStreams()).toBe(0)
  })

  it('finds a spoken sentence in silence, with real ears', async () => {
    const clip = await fixtureClip('hi-rain')
    const quiet = sound([1000, 0])
    const padded = Float32Array.from([...quiet, ...clip, ...quiet])
    const detector = createTurnDetector({ detector: silero, settings: SETTINGS })
    const events = await hear(padded, 4_800, detector)
    await detector.close()
    const [started, ...rest] = events
    const stopped = rest.at(-1)
    expect([started?.kind, stopped?.kind, events.filter(({ kind }) => kind === 'stopped').length]).toEqual([
      'started',
      'stopped',
      1,
    ])
    expect(started?.atMs).toBeGreaterThan(650)
    expect(started?.atMs).toBeLessThan(1200)
    const clipMs = clip.length / MS
    expect(stopped?.atMs).toBeGreaterThan(1000 + clipMs - 600 + 500)
    expect(stopped?.atMs).toBeLessThan(1000 + clipMs + 200 + 500)
  }, 120_000)
})
