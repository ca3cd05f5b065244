import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  advanceTurn,
  quietTurn,
  type TurnEvent,
  type TurnSettings,
  WINDOW_MS,
} from '../../src/realtime/turn-machine.ts'

const SETTINGS: TurnSettings = { threshold: 0.5, prefixPaddingMs: 300, silenceDurationMs: 500 }

type Stretch = readonly [windows: number, probability: number]

function hear(stretches: readonly Stretch[], settings: Partial<TurnSettings> = {}, state = quietTurn(0)): TurnEvent[] {
  const events: TurnEvent[] = []
  for (const probability of stretches.flatMap(([windows, value]) => Array.from({ length: windows }, () => value))) {
    const advanced = advanceTurn(state, probability, { ...SETTINGS, ...settings })
    state = advanced.state
    events.push(...advanced.events)
  }
  return events
}

const started = (atMs: number) => ({ kind: 'started', atMs })
const paused = (atMs: number) => ({ kind: 'paused', atMs })
const resumed = (atMs: number) => ({ kind: 'resumed', atMs })
const stopped = (startMs: number, atMs: number) => ({ kind: 'stopped', startMs, atMs })

const TABLE: readonly {
  readonly says: string
  readonly heard: readonly Stretch[]
  readonly settings?: Partial<TurnSettings>
  readonly gives: readonly unknown[]
}[] = [
  { says: 'nothing to silence', heard: [[100, 0.1]], gives: [] },
  {
    says: 'one turn with its padding before and its silence behind',
    heard: [
      [20, 0.02],
      [30, 0.9],
      [20, 0.02],
    ],
    gives: [started(640 - 300), paused(1600), stopped(340, 2048)],
  },
  {
    says: 'no time before the first sample',
    heard: [
      [3, 0.02],
      [30, 0.9],
      [20, 0.02],
    ],
    gives: [started(0), paused(1056), stopped(0, 1504)],
  },
  {
    says: 'a pause shorter than the silence asked for, inside the turn',
    heard: [
      [20, 0.02],
      [30, 0.9],
      [10, 0.02],
      [10, 0.9],
      [20, 0.02],
    ],
    gives: [started(340), paused(1600), resumed(1920), paused(2240), stopped(340, 2688)],
  },
  {
    says: 'no pause to a gap inside a word',
    heard: [
      [20, 0.02],
      [30, 0.9],
      [3, 0.02],
      [10, 0.9],
      [20, 0.02],
    ],
    gives: [started(340), paused(2016), stopped(340, 2464)],
  },
  {
    says: 'nothing to a click',
    heard: [
      [20, 0.02],
      [1, 0.9],
      [20, 0.02],
    ],
    gives: [],
  },
  {
    says: 'a turn that goes on while the probability only sinks a little',
    heard: [
      [20, 0.02],
      [10, 0.9],
      [40, 0.4],
      [20, 0.02],
    ],
    gives: [started(340), paused(2240), stopped(340, 2688)],
  },
  { says: 'nothing to what stays a little below the threshold', heard: [[60, 0.45]], gives: [] },
  {
    says: 'nothing to a short "haan" where more is asked for',
    settings: { minSpeechMs: 400 },
    heard: [
      [20, 0.02],
      [11, 0.9],
      [30, 0.02],
    ],
    gives: [],
  },
  {
    says: 'the whole of a longer sentence where more is asked for',
    settings: { minSpeechMs: 400 },
    heard: [
      [20, 0.02],
      [13, 0.9],
      [20, 0.02],
    ],
    gives: [started(340), paused(1056), stopped(340, 1504)],
  },
  {
    says: 'two turns that never share audio',
    settings: { silenceDurationMs: 200, prefixPaddingMs: 1000 },
    heard: [
      [40, 0.02],
      [10, 0.9],
      [8, 0.02],
      [10, 0.9],
      [8, 0.02],
    ],
    gives: [started(280), paused(1600), stopped(280, 1748), started(1748), paused(2176), stopped(1748, 2324)],
  },
  {
    says: 'an end at the first silent window where no silence is asked for',
    settings: { silenceDurationMs: 0, prefixPaddingMs: 0 },
    heard: [
      [2, 0.02],
      [5, 0.9],
      [3, 0.02],
    ],
    gives: [started(64), paused(224), stopped(64, 224)],
  },
  {
    says: 'an end to a turn that is too long, and the rest as the next',
    settings: { maxTurnMs: 1000, prefixPaddingMs: 0 },
    heard: [[40, 0.9]],
    gives: [started(0), stopped(0, 1000), started(1024)],
  },
]

describe('the turn machine gives', () => {
  for (const { says, heard, settings, gives } of TABLE) it(says, () => expect(hear(heard, settings)).toEqual(gives))

  it('nothing for audio that was committed or cleared before it was judged', () => {
    expect(hear([[30, 0.9]], {}, quietTurn(0, 960))).toEqual([])
    expect(hear([[40, 0.9]], {}, quietTurn(0, 970))).toEqual([started(970)])
  })

  it('well-formed turns for any probabilities and settings', () => {
    const settings = fc.record({
      threshold: fc.double({ min: 0, max: 1, noNaN: true }),
      prefixPaddingMs: fc.nat(2000),
      silenceDurationMs: fc.nat(1000),
      minSpeechMs: fc.constantFrom(64, 400),
      maxTurnMs: fc.constantFrom(1500, 60_000),
    })
    const stretch = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 30 }), settings, (stretches, chosen) => {
        checkOrder(hear(stretches, chosen), stretches.reduce((sum, [windows]) => sum + windows, 0) * WINDOW_MS)
      }),
    )
  })
})

/** started (paused resumed)* [paused] stopped, over and over; turns follow one another and lie inside the audio. */
function checkOrder(events: readonly TurnEvent[], totalMs: number): void {
  const order = events.map(({ kind }) => (kind === 'stopped' ? 'e' : kind[0])).join('')
  expect(order).toMatch(/^(s(pr)*p?e)*(s(pr)*p?)?$/)
  let endMs = 0
  for (const event of events) {
    expect(event.atMs).toBeLessThanOrEqual(totalMs)
    if (event.kind === 'started') expect(event.atMs).toBeGreaterThanOrEqual(endMs)
    if (event.kind !== 'stopped') continue
    expect(event.atMs).toBeGreaterThan(event.startMs)
    endMs = event.atMs
  }
}
