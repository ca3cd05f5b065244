import { describe, expect, it } from 'vitest'
import { keepAwake } from '../../src/speech/keep-awake.ts'
import { gate } from '../support/realtime-door.ts'

/** Models that become ready when the test says so. */
function sleepers(...names: readonly string[]) {
  const kept = new Set<string>()
  const gates = Object.fromEntries(names.map((name) => [name, gate()]))
  const parts = names.map((name) => ({
    sleepers: [
      {
        keep() {
          kept.add(name)
          return { ready: gates[name]?.promise ?? Promise.resolve(), release: () => void kept.delete(name) }
        },
      },
    ],
  }))
  const wake = async (name: string) => {
    gates[name]?.open()
    await new Promise((resolve) => setImmediate(resolve))
    return [...kept]
  }
  return { parts, kept, wake }
}

describe('what a session keeps awake', () => {
  it('is made ready in its order, two at a time', async () => {
    const { parts, kept, wake } = sleepers('ear', 'language', 'words', 'voice')
    const release = keepAwake([...parts, {}])
    expect([...kept]).toEqual(['ear', 'language'])
    expect(await wake('language')).toEqual(['ear', 'language', 'words'])
    expect(await wake('ear')).toEqual(['ear', 'language', 'words', 'voice'])
    release()
    expect([...kept]).toEqual([])
  })

  it('is not touched any more once the session has gone', async () => {
    const { parts, kept, wake } = sleepers('ear', 'language', 'words')
    keepAwake(parts)()
    expect([...kept]).toEqual([])
    expect(await wake('ear')).toEqual([])
  })
})
