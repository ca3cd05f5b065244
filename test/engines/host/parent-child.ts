import { createEngineHost } from '../../../src/engines/host/engine-host.ts'
import { childEntry } from '../../../src/platform/child-entry.ts'
import type { Script } from './scripted-child.ts'

/** A service that starts an engine, says where it is, and keeps it busy until somebody kills the service. */
const host = createEngineHost<Script, number>({
  name: 'scripted',
  entry: childEntry(import.meta.url, './scripted-child'),
  settings: {},
})
console.log(await host.request({ do: 'pid' }))
await host.request({ do: 'block', ms: 60_000 })
