import { describe, expect, it } from 'vitest'
import { createBreather } from '../../src/audio/breather.ts'
import { gatherTurns } from '../../src/transcription/voice/gather-turns.ts'
import { tellVoicesApart } from '../../src/transcription/voice/tell-voices-apart.ts'
import { type HeardVoice, toRows } from '../../src/transcription/voice/voice-rows.ts'

const SIZE = 14

/** The same numbers each time, about as a bell curve has them. */
function createBell(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return () => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, -6)
}

/** Half seconds of people who speak in turn; voice `k` lies `apart` from the middle in a direction of its own. */
function conversation(turns: readonly number[], apart: number, bell: () => number, length = 6): HeardVoice[] {
  return turns.flatMap((voice) =>
    Array.from({ length }, () => {
      const features = Float64Array.from({ length: SIZE }, (_, j) => bell() + (j === voice ? apart : 0))
      return { features, weight: 1 }
    }),
  )
}

const alternating = (people: number, turns: number) => Array.from({ length: turns }, (_, i) => i % people)
const namesOf = (voices: Int32Array) => {
  const order = [...new Set(voices)]
  return [...voices].map((voice) => order.indexOf(voice))
}

describe('how many people speak, and when', () => {
  it.each([1, 2, 3, 4])('hears %d', async (people) => {
    const turns = alternating(people, 12)
    const { voices } = await tellVoicesApart(conversation(turns, 5, createBell(people)), createBreather())
    expect(namesOf(voices)).toEqual(turns.flatMap((turn) => Array.from({ length: 6 }, () => turn)))
  })

  it('finds somebody who says little in a long conversation of others', async () => {
    const turns = [...alternating(2, 40), 2, ...alternating(2, 40), 2, ...alternating(2, 40)]
    const { voices } = await tellVoicesApart(conversation(turns, 8, createBell(5)), createBreather())
    expect(namesOf(voices).filter((voice) => voice === 2)).toHaveLength(12)
  })

  it.each([4, 60, 700, 1500])('one person over %d half seconds is one, however the mood changes', async (length) => {
    const bell = createBell(length)
    // Five seconds livelier, five seconds calmer: less far apart than two people are.
    const heard = Array.from({ length }, (_, i) => {
      const mood = Math.floor(i / 10) % 2
      return { features: Float64Array.from({ length: SIZE }, (_, j) => bell() + (j === 0 ? 2 * mood : 0)), weight: 1 }
    })
    expect(new Set((await tellVoicesApart(heard, createBreather())).voices).size).toBe(1)
  })

  it('sound that never changes is one voice', async () => {
    const heard = Array.from({ length: 8 }, (_, i) => ({
      features: new Float64Array(SIZE).fill(i === 7 ? 3.01 : 3),
      weight: i === 7 ? 0.2 : 1,
    }))
    expect(new Set((await tellVoicesApart(heard, createBreather())).voices).size).toBe(1)
  })

  it('nothing heard is nobody', async () => {
    expect((await tellVoicesApart([], createBreather())).voices).toHaveLength(0)
  })
})

describe('first guesses', () => {
  it('join turns that lie near to each other, for every number of voices there may be', async () => {
    const rows = await toRows(conversation(alternating(3, 9), 6, createBell(9), 2), createBreather())
    const guesses = await gatherTurns(rows, 2, 4, createBreather())
    expect([...guesses.keys()].toSorted()).toEqual([2, 3, 4])
    expect(namesOf(guesses.get(3) ?? new Int32Array())).toEqual(alternating(3, 9).flatMap((voice) => [voice, voice]))
  })

  it('are fewer than were asked for where fewer turns are', async () => {
    const rows = await toRows(conversation([0, 1], 6, createBell(2), 2), createBreather())
    expect([...(await gatherTurns(rows, 2, 6, createBreather())).keys()]).toEqual([2])
    expect([...(await gatherTurns(rows, 8, 6, createBreather())).keys()]).toEqual([])
  })
})
