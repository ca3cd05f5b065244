import { setTimeout as delay } from 'node:timers/promises'
import { serveEngine } from '../../../src/engines/host/serve-engine.ts'

/** What the host's tests ask of an engine process: every way to answer, to fail and to die. */
export type Script =
  | { readonly do: 'echo'; readonly samples: Float32Array }
  | { readonly do: 'pid' }
  | { readonly do: 'throw' }
  | { readonly do: 'crash' }
  | { readonly do: 'block'; readonly ms: number }
  | { readonly do: 'wait' }
  /** Gives way before each of many small steps; tells how many were done. */
  | { readonly do: 'steps'; readonly count: number }
  | { readonly do: 'stepsDone' }
  | { readonly do: 'grow'; readonly bytes: number }

export type ScriptSettings = { readonly failLoad?: boolean; readonly dieLoading?: boolean }

const kept: Uint8Array[] = []

function block(ms: number): void {
  const endMs = Date.now() + ms
  while (Date.now() < endMs);
}

let stepsDone = 0

async function takeSteps(count: number, giveWay: () => Promise<void>): Promise<number> {
  for (let step = 0; step < count; step++) {
    await giveWay()
    await delay(2)
    stepsDone++
  }
  return stepsDone
}

async function perform(script: Script, signal: AbortSignal, giveWay: () => Promise<void>): Promise<unknown> {
  switch (script.do) {
    case 'echo':
      return script.samples
    case 'pid':
      return process.pid
    case 'throw':
      throw new Error('the model says no')
    case 'crash':
      process.abort()
      break
    case 'block':
      return block(script.ms)
    case 'wait':
      return delay(60_000, undefined, { signal })
    case 'steps':
      return takeSteps(script.count, giveWay)
    case 'stepsDone': {
      const before = stepsDone
      await delay(100)
      return stepsDone - before
    }
    case 'grow':
      kept.push(new Uint8Array(script.bytes).fill(1))
      return kept.length
  }
}

serveEngine(async (settings: ScriptSettings, giveWay) => {
  if (settings.failLoad) throw new Error('weights are missing')
  if (settings.dieLoading) process.abort()
  return { handle: (script: Script, signal) => perform(script, signal, giveWay) }
})
