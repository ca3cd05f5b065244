import type { Samples, VoiceDetector, VoiceStream } from '../speech/ports.ts'
import { advanceTurn, quietTurn, type TurnEvent, type TurnSettings, type TurnState } from './turn-machine.ts'

export type TurnDetectorOptions = {
  readonly detector: VoiceDetector
  readonly settings: TurnSettings
  /** Milliseconds of the session's audio that went by before the first push: turns may be switched on later. */
  readonly startMs?: number
}

export interface TurnDetector {
  /** 16 kHz, in order, pieces of any size. Answers in the order of the pushes, each with the events of the windows it filled. */
  push(samples: Samples): Promise<readonly TurnEvent[]>
  /** Counts from the next window on; what is said meanwhile goes on. */
  configure(settings: TurnSettings): void
  /** Drops a running turn without an event (commit, clear): the next one begins at `atMs` at the earliest. */
  reset(atMs: number): void
  /** Audio before this will be in no turn to come: it may be forgotten. */
  keepFromMs(): number
  close(): Promise<void>
}

export function createTurnDetector({ detector, settings, startMs = 0 }: TurnDetectorOptions): TurnDetector {
  let current = settings
  let state = quietTurn(startMs)
  let stream: Promise<VoiceStream> | undefined
  const hear = (probability: number): readonly TurnEvent[] => {
    const advanced = advanceTurn(state, probability, current)
    state = advanced.state
    return advanced.events
  }
  return {
    async push(samples) {
      stream ??= detector.open(true)
      const probabilities = await (await stream).push(samples)
      return [...probabilities].flatMap(hear)
    },
    configure(next) {
      current = next
    },
    reset(atMs) {
      state = quietTurn(state.nowMs, Math.max(atMs, state.floorMs))
    },
    keepFromMs: () => oldestNeeded(state, current),
    async close() {
      await (await stream?.catch(() => undefined))?.close()
    },
  }
}

function oldestNeeded(state: TurnState, { prefixPaddingMs }: TurnSettings): number {
  const { phase, startMs, onsetMs, nowMs, floorMs } = state
  if (phase === 'speaking' || phase === 'paused') return startMs
  return Math.max(floorMs, (phase === 'maybe' ? onsetMs : nowMs) - prefixPaddingMs)
}
