import { afterEach, describe, expect, it } from 'vitest'
import { type Lipik, runLipik } from '../support/run-lipik.ts'

let lipik: Lipik | undefined
afterEach(async () => {
  lipik?.child.kill('SIGKILL')
  await lipik?.ended
})

const run = (way: string): Lipik => {
  lipik = runLipik([way], {}, 'test/main/lifecycle-child.ts')
  return lipik
}

describe('a long command', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops in order on %s', async (signal) => {
    const command = run('well')
    await command.seen(/"started"/)
    command.child.kill(signal)
    expect(await command.ended).toBe(0)
    expect(command.stderr()).toMatch(/"stopping"[\s\S]*"stopped"/)
  })

  it('ends at once on the second signal', async () => {
    const command = run('hangs')
    await command.seen(/"started"/)
    command.child.kill('SIGTERM')
    await command.seen(/"stopping"/)
    command.child.kill('SIGTERM')
    expect(await command.ended).toBe(143)
  })

  it('ends by itself when stopping takes too long', async () => {
    const command = run('hangs')
    await command.seen(/"started"/)
    const asked = performance.now()
    command.child.kill('SIGTERM')
    expect(await command.ended).toBe(1)
    expect(performance.now() - asked).toBeLessThan(10_000)
    expect(command.stderr()).toContain('did not stop in time')
  })

  it('breaks its start off when told to stop meanwhile, and closes what it had opened', async () => {
    const command = run('slow-start')
    await command.seen(/"starting"/)
    command.child.kill('SIGTERM')
    expect(await command.ended).toBe(0)
    expect(command.stderr()).toMatch(/"start broken off"[\s\S]*"stopped"/)
  })

  it.each([
    ['throws', /JSON/],
    ['rejects', /nobody listens/],
    ['fails', /the database is gone/],
  ])('logs an error nobody caught, closes, and ends with failure: %s', async (way, said) => {
    const command = run(way)
    expect(await command.ended).toBe(1)
    expect(command.stderr()).toMatch(said)
    expect(command.stderr()).toMatch(/"level":"fatal"[\s\S]*"stopped"/)
  })

  it('closes what it had opened when it cannot start', async () => {
    const command = run('bad-start')
    expect(await command.ended).toBe(1)
    expect(command.stderr()).toMatch(/"stopped"[\s\S]*no ground to stand on/)
  })
})
