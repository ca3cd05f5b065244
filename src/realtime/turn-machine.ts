/** The voice detector judges windows of this length, one after the other. */
export const WINDOW_MS = 32

export type TurnSettings = {
  /** A window at least so likely to be speech is speech. */
  readonly threshold: number
  readonly prefixPaddingMs: number
  readonly silenceDurationMs: number
  /** Speech shorter than this begins no turn: a click, or a "haan" while somebody else speaks. */
  readonly minSpeechMs?: number
  /** A turn is ended here though somebody still speaks, so that noise cannot grow it without limit. */
  readonly maxTurnMs?: number
}

/** Times are milliseconds of the audio pushed since the session's first sample. */
export type TurnEvent =
  | { readonly kind: 'started'; readonly atMs: number }
  /** Silence began at `atMs` inside the turn: it may be the end, and transcription may begin. */
  | { readonly kind: 'paused'; readonly atMs: number }
  /** It was not the end: speech went on at `atMs`. */
  | { readonly kind: 'resumed'; readonly atMs: number }
  /** The turn is the audio from `startMs` to `atMs`, the silence at its end included. */
  | { readonly kind: 'stopped'; readonly atMs: number; readonly startMs: number }

export type TurnState = {
  /** End of the last window that was judged. */
  readonly nowMs: number
  /** Audio before this belongs to an earlier turn, or to nobody. */
  readonly floorMs: number
  /** `maybe`: somebody may have begun to speak, but not for long enough yet. */
  readonly phase: 'idle' | 'maybe' | 'speaking' | 'paused'
  /** First speech of what is going on. */
  readonly onsetMs: number
  readonly startMs: number
  /** How much of it was speech, and when that was last heard. */
  readonly spokenMs: number
  readonly spokenUntilMs: number
}

const MIN_SPEECH_MS = 2 * WINDOW_MS
const MAX_TURN_MS = 60_000
/** The network sinks slowly at the end of a word and dips inside one: so much below the threshold is still speech. */
const HYSTERESIS = 0.15
/** The network lets go of a voice late: on seven clips 5 ms before to 72 ms after the last sound, 46 in the middle. */
const LAG_MS = 52
/** Silence of this length may be the end of the turn. Stops inside words are shorter. */
const PAUSE_MS = 4 * WINDOW_MS
/** What might be the beginning of a turn is forgotten after so much silence. */
const FORGET_MS = 6 * WINDOW_MS

/** At `nowMs` nobody speaks; a turn may begin there at the earliest. */
export const quietTurn = (nowMs: number, floorMs = nowMs): TurnState => ({
  nowMs,
  floorMs,
  phase: 'idle',
  onsetMs: nowMs,
  startMs: nowMs,
  spokenMs: 0,
  spokenUntilMs: nowMs,
})

export type Advanced = { readonly state: TurnState; readonly events: readonly TurnEvent[] }

/**
 * One window further. idle → maybe with the first window of speech → speaking when there was enough of it → paused after a
 * little silence → speaking again, or idle when the silence has lasted. What is too short falls back from maybe to idle.
 */
export function advanceTurn(before: TurnState, probability: number, settings: TurnSettings): Advanced {
  const nowMs = before.nowMs + WINDOW_MS
  const state = { ...before, nowMs }
  if (nowMs <= before.floorMs) return { state, events: [] }
  const isOpen = before.phase !== 'idle'
  const isSpeech = probability >= settings.threshold - (isOpen ? Math.min(HYSTERESIS, settings.threshold / 2) : 0)
  const heard = isSpeech ? hearSpeech(state, settings) : hearSilence(state, settings)
  return endIfTooLong(heard, settings)
}

function hearSpeech(state: TurnState, { minSpeechMs = MIN_SPEECH_MS, prefixPaddingMs }: TurnSettings): Advanced {
  const { nowMs, phase, floorMs } = state
  const fromMs = nowMs - WINDOW_MS
  if (phase === 'speaking') return { state: { ...state, spokenUntilMs: nowMs }, events: [] }
  if (phase === 'paused') {
    const resumed = { ...state, phase: 'speaking', spokenUntilMs: nowMs } as const
    return { state: resumed, events: [{ kind: 'resumed', atMs: fromMs }] }
  }
  const onsetMs = phase === 'idle' ? fromMs : state.onsetMs
  const spokenMs = (phase === 'idle' ? 0 : state.spokenMs) + WINDOW_MS
  const maybe = { ...state, phase: 'maybe', onsetMs, spokenMs, spokenUntilMs: nowMs } as const
  if (spokenMs < minSpeechMs) return { state: maybe, events: [] }
  const startMs = Math.max(onsetMs - prefixPaddingMs, floorMs)
  return { state: { ...maybe, phase: 'speaking', startMs }, events: [{ kind: 'started', atMs: startMs }] }
}

function hearSilence(state: TurnState, { silenceDurationMs }: TurnSettings): Advanced {
  const { nowMs, phase, spokenUntilMs, floorMs } = state
  const silentMs = nowMs - spokenUntilMs
  if (phase === 'idle') return { state, events: [] }
  if (phase === 'maybe') return { state: silentMs < FORGET_MS ? state : quietTurn(nowMs, floorMs), events: [] }
  const begins = phase === 'speaking' && silentMs >= Math.min(PAUSE_MS, silenceDurationMs)
  const pause: TurnEvent[] = begins ? [{ kind: 'paused', atMs: spokenUntilMs }] : []
  if (silentMs + LAG_MS < silenceDurationMs)
    return { state: begins ? { ...state, phase: 'paused' } : state, events: pause }
  const ended = endTurn(state, spokenUntilMs + Math.max(0, silenceDurationMs - LAG_MS))
  return { state: ended.state, events: [...pause, ...ended.events] }
}

function endIfTooLong(advanced: Advanced, { maxTurnMs = MAX_TURN_MS }: TurnSettings): Advanced {
  const { state, events } = advanced
  const isOpen = state.phase === 'speaking' || state.phase === 'paused'
  if (!isOpen || state.nowMs - state.startMs < maxTurnMs) return advanced
  const ended = endTurn(state, state.startMs + maxTurnMs)
  return { state: ended.state, events: [...events, ...ended.events] }
}

const endTurn = (state: TurnState, atMs: number): Advanced => ({
  state: quietTurn(state.nowMs, atMs),
  events: [{ kind: 'stopped', atMs, startMs: state.startMs }],
})
