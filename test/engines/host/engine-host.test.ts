import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEngineHost, type EngineHost, type EngineLimits } from '../../../src/engines/host/engine-host.ts'
import { childEntry } from '../../../src/platform/child-entry.ts'
import { longestLoopWork } from '../../support/event-loop-work.ts'
import type { Script, ScriptSettings } from './scripted-child.ts'

const open: EngineHost<Script, unknown>[] = []

function host(limits: Partial<EngineLimits> = {}, settings: ScriptSettings = {}): EngineHost<Script, unknown> {
  const entry = childEntry(import.meta.url, './scripted-child')
  const made = createEngineHost<Script, unknown>({ name: 'scripted', entry, settings, limits })
  open.push(made)
  return made
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Processor time a process has used so far, in hundredths of a second. */
const busyTicks = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[13])

const pidOf = async (engine: EngineHost<Script, unknown>) => Number(await engine.request({ do: 'pid' }))

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

describe('an engine host', () => {
  it('carries samples there and back unchanged', async () => {
    const samples = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i))
    expect(await host().request({ do: 'echo', samples })).toEqual(samples)
  })

  it('answers again within 15 s after kill -9 in the middle of a request, which fails as transient', async () => {
    const engine = host()
    const pid = await pidOf(engine)
    const doomed = engine.request({ do: 'wait' })
    process.kill(pid, 'SIGKILL')
    await expect(doomed).rejects.toMatchObject({ code: 'engine_crashed', retryable: true })
    const startedMs = Date.now()
    expect(await pidOf(engine)).not.toBe(pid)
    expect(Date.now() - startedMs).toBeLessThan(15_000)
  })

  it('fails a hung request after its time limit and serves the next', async () => {
    const engine = host({ requestTimeoutMs: 1_000 })
    const pid = await pidOf(engine)
    await expect(engine.request({ do: 'block', ms: 60_000 })).rejects.toMatchObject({ code: 'engine_timeout' })
    expect(await pidOf(engine)).not.toBe(pid)
  })

  it('lets the innocent succeed when one of several in flight takes the process down', async () => {
    const engine = host({ concurrency: 3 })
    const samples = new Float32Array([1, 2, 3])
    await engine.check()
    const all = await Promise.allSettled([
      engine.request({ do: 'crash' }),
      engine.request({ do: 'echo', samples }),
      engine.request({ do: 'pid' }),
    ])
    expect(all.map((each) => each.status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(all[0]).toMatchObject({ reason: { code: 'engine_crashed' } })
  })

  it('keeps the process when the engine refuses a request', async () => {
    const engine = host()
    const pid = await pidOf(engine)
    await expect(engine.request({ do: 'throw' })).rejects.toThrow('the model says no')
    expect(await pidOf(engine)).toBe(pid)
  })

  it('refuses work beyond its queue', async () => {
    const engine = host({ maxQueue: 1 })
    await engine.check()
    const abort = new AbortController()
    const first = engine.request({ do: 'wait' }, abort.signal)
    const second = engine.request({ do: 'pid' })
    await expect(engine.request({ do: 'pid' })).rejects.toMatchObject({ code: 'engine_busy' })
    abort.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    expect(await second).toBeTypeOf('number')
  })

  it('answers a live request beside work that runs and before work that waits', async () => {
    const engine = host({ maxQueue: 1 })
    await engine.check()
    const abort = new AbortController()
    const running = engine.request({ do: 'wait' }, abort.signal)
    const waiting = engine.request({ do: 'pid' })
    expect(await engine.request({ do: 'pid' }, undefined, true)).toBeTypeOf('number')
    expect(engine.status()).toMatchObject({ queued: 1, running: 1 })
    abort.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    await waiting
  })

  it('lets long work stand still while a live request is answered, and finish after it', async () => {
    const engine = host()
    await engine.check()
    const long = engine.request({ do: 'steps', count: 200 })
    // A step under way when the live request comes is finished.
    expect(await engine.request({ do: 'stepsDone' }, undefined, true)).toBeLessThanOrEqual(1)
    expect(await long).toBe(200)
  })

  it('frees the engine when a running request is cancelled, and forgets one that waits', async () => {
    const engine = host()
    const pid = await pidOf(engine)
    const abort = new AbortController()
    const running = engine.request({ do: 'wait' }, abort.signal)
    const waiting = engine.request({ do: 'wait' }, abort.signal)
    abort.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    expect(await pidOf(engine)).toBe(pid)
    expect(engine.status()).toMatchObject({ queued: 0, starts: 1 })
  })

  it('unloads after idling and loads again on demand', async () => {
    const engine = host({ idleMs: 200 })
    const pid = await pidOf(engine)
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5_000)
    expect(engine.status().state).toBe('unloaded')
    expect(await pidOf(engine)).not.toBe(pid)
  })

  it('loads for a keeper before there is work, and rests only when the last one has gone', async () => {
    const engine = host({ idleMs: 200, healthIntervalMs: 20 })
    const [first, second] = [engine.keep(), engine.keep()]
    await first.ready
    expect(engine.status().state).toBe('ready')
    const pid = await pidOf(engine)
    first.release()
    first.release()
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect([isAlive(pid), engine.status().starts]).toEqual([true, 1])
    second.release()
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5_000)
  })

  it('loads again for a keeper when the process grew too large, but not when it cannot be loaded', async () => {
    const engine = host({ maxRssBytes: 300_000_000 })
    engine.keep()
    expect(await engine.request({ do: 'grow', bytes: 280_000_000 })).toBe(1)
    await vi.waitFor(() => expect(engine.status()).toMatchObject({ state: 'ready', starts: 2 }), 5_000)
    const broken = host({ firstBackoffMs: 10 }, { failLoad: true })
    await broken.keep().ready
    await expect(broken.request({ do: 'pid' })).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(broken.status().starts).toBe(2)
  })

  it('replaces a process that grew above its memory ceiling, between requests', async () => {
    const engine = host({ maxRssBytes: 300_000_000 })
    const pid = await pidOf(engine)
    expect(await engine.request({ do: 'grow', bytes: 280_000_000 })).toBe(1)
    expect(await pidOf(engine)).not.toBe(pid)
    expect(isAlive(pid)).toBe(false)
  })

  it('says what is wrong when the model cannot be loaded', async () => {
    const engine = host({}, { failLoad: true })
    await expect(engine.request({ do: 'pid' })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('weights are missing'),
    })
    await expect(engine.check()).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  it('waits longer before each new start of an engine that dies while loading', async () => {
    const engine = host({ firstBackoffMs: 50 }, { dieLoading: true })
    await expect(engine.request({ do: 'pid' })).rejects.toMatchObject({ code: 'engine_crashed' })
    expect(engine.status()).toMatchObject({ starts: 2, state: 'unloaded' })
  })

  it('ends a resting process that no longer answers', async () => {
    const engine = host({ healthIntervalMs: 100 })
    const pid = await pidOf(engine)
    process.kill(pid, 'SIGSTOP')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 15_000)
    expect(await pidOf(engine)).not.toBe(pid)
  })

  it('leaves no process behind when closed, whatever it was doing', async () => {
    const engine = host()
    const pid = await pidOf(engine)
    const running = engine.request({ do: 'block', ms: 60_000 })
    await Promise.all([engine.close(), expect(running).rejects.toMatchObject({ code: 'unavailable' })])
    expect(isAlive(pid)).toBe(false)
    await expect(engine.request({ do: 'pid' })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('never holds up the event loop of the service, even with eight long clips', async () => {
    const engine = host()
    await engine.check()
    const clips = Array.from({ length: 8 }, () => new Float32Array(30 * 16_000).fill(0.1))
    const longestMs = await longestLoopWork(async () => {
      await Promise.all(clips.map((samples) => engine.request({ do: 'echo', samples })))
      await engine.request({ do: 'block', ms: 500 })
    })
    expect(longestMs).toBeLessThan(50)
  })
})

describe('an engine process', () => {
  it('dies with its parent, also when killed -9 while the engine is busy', async () => {
    const { path, execArgv } = childEntry(import.meta.url, './parent-child')
    const service: ChildProcess = fork(path, [], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const [line] = await once(service.stdout ?? service, 'data')
    const pid = Number(String(line))
    // Not before the engine is inside its long request: at rest it would see the channel close.
    const atRestTicks = await busyTicks(pid)
    await vi.waitFor(async () => expect(await busyTicks(pid)).toBeGreaterThan(atRestTicks + 50), 20_000)
    service.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000)
  })
})
