import { createSileroVoiceDetector } from '../../src/engines/silero/silero-voice-detector.ts'
import { testModel } from '../../test/support/models.ts'
import { RealtimeHarness } from '../../test/support/realtime-door.ts'
import { measureLoad, type ProcessLoad } from './process-load.ts'

export type FromRealtimeChild =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'load'; readonly load: ProcessLoad; readonly sessions: number }

/** The realtime door in a process of its own, so that what a session costs is not mixed with what its client does. Only the ear is real. */
const { files } = await testModel('silero-vad-v6')
const detector = createSileroVoiceDetector({ model: Object.values(files)[0] ?? '' })
const harness = await new RealtimeHarness().open({ services: { detector } })
const tell = (message: FromRealtimeChild) => process.send?.(message)

process.on('message', async () => tell({ kind: 'load', load: await measureLoad(), sessions: harness.door.sessions }))
process.on('disconnect', () => process.exit(0))
tell({ kind: 'listening', port: harness.port })
