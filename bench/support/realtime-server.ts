import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { RealtimeClient } from '../../test/support/realtime-client.ts'
import type { ProcessLoad } from './process-load.ts'
import type { FromRealtimeChild } from './realtime-child.ts'

export type RealtimeServer = {
  connect(): Promise<RealtimeClient>
  load(): Promise<ProcessLoad & { readonly sessions: number }>
  close(): Promise<void>
}

export async function startRealtimeServer(): Promise<RealtimeServer> {
  const path = fileURLToPath(new URL('./realtime-child.ts', import.meta.url))
  const child = fork(path, [], { execArgv: [...process.execArgv, '--expose-gc'] })
  const listening = await answer(child, 'listening')
  const url = `ws://127.0.0.1:${listening.port}/v1/realtime?model=lipik-realtime`
  const headers = { authorization: 'Bearer good', 'openai-beta': 'realtime=v1' }
  return {
    async connect() {
      const client = new RealtimeClient(url, [], { headers })
      await client.next('session.created')
      return client
    },
    async load() {
      child.send('measure')
      const { load, sessions } = await answer(child, 'load')
      return { ...load, sessions }
    },
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

type Answer<K extends FromRealtimeChild['kind']> = Extract<FromRealtimeChild, { kind: K }>

async function answer<K extends FromRealtimeChild['kind']>(child: ChildProcess, kind: K): Promise<Answer<K>> {
  for (;;) {
    const [message]: FromRealtimeChild[] = await once(child, 'message')
    // What the child declares that it sends.
    if (message?.kind === kind) return message as Answer<K>
  }
}
