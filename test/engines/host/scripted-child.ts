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
  | { readonly do: 'grow'; readonly bytes: number }

export type ScriptSettings = { readonly failLoad?: boolean; readonly dieLoading?: boolean }

const kept: Uint8Array[] = []

function block(ms: number): void {
  const endMs = Date.now() + ms
  while (Date.now() < endMs);
}

async function perform(script: Script, signal: AbortSignal): Promise<unknown> {
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
    case 'grow':
      kept.push(new Uint8Array(script.bytes).fill(1))
      return kept.length
  }
}

serveEngine(async (settings: ScriptSettings) => {
  if (settings.failLoad) throw new Error('weights are missing')
  if (settings.dieLoading) process.abort()
  return { handle: perform }
})
