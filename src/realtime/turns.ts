import type { VoiceDetector } from '../speech/ports.ts'
import { AudioInput, bytesPerMs } from './audio-format.ts'
import type { TurnHearing } from './hear-turn.ts'
import { InputBuffer } from './input-buffer.ts'
import { ProtocolError } from './protocol-error.ts'
import { newProtocolId } from './protocol-id.ts'
import type { AudioFormat, SessionConfig, TurnDetection } from './session-config.ts'
import { createTurnDetector, type TurnDetector } from './turn-detector.ts'
import type { TurnEvent, TurnSettings } from './turn-machine.ts'

export type TurnLimits = {
  readonly maxBufferMs: number
  readonly maxTurnMs: number
  /** While the assistant speaks, only speech of this length interrupts it: "haan" and "hmm" do not. */
  readonly backchannelMs: number
}

export type CommittedTurn = {
  readonly itemId: string
  readonly audio: Uint8Array
  readonly format: AudioFormat
  readonly durationMs: number
  readonly ear: Ear
}

/** A hearing whose deltas wait until somebody may know of its item. */
export type Ear = { readonly hearing: TurnHearing; readonly onDelta: (listener: (text: string) => void) => void }

export type TurnsDeps = {
  readonly detector: VoiceDetector
  readonly openEar: () => Ear
  readonly limits: TurnLimits
  readonly onStarted: (itemId: string, startMs: number) => void
  readonly onStopped: (itemId: string, endMs: number) => void
  /** `byDetector`: the turn ended by silence, and a response may follow. */
  readonly onCommitted: (turn: CommittedTurn, byDetector: boolean) => void
}

type OpenTurn = {
  readonly itemId: string
  readonly startMs: number
  readonly ear: Ear
  readonly input: AudioInput
  fedMs: number
}

const LEAST_COMMIT_MS = 100
const MAX_APPEND_BYTES = 15 * 1_048_576
/** Sound is judged in steps of this length, so that what it leads to is told in time. */
const STEP_MS = 500
/** So much silence has been judged when a pause is told. */
const JUDGED_SILENCE_MS = 96
/** A turn is handed to the ear in pieces of this length at least, however small the appends are. */
const FEED_MS = 100
/** What is kept while nobody speaks: a client may still commit it itself. */
const IDLE_KEEP_MS = 10_000

/**
 * From sound to turns. Without detection the client says where a turn ends; with it the voice detector does:
 * idle → (speech) → a turn with its item's id → (silence, or a commit) → committed → idle.
 */
export class Turns {
  readonly #deps: TurnsDeps
  readonly #buffer: InputBuffer
  #detection: TurnDetection | null = null
  #detector: TurnDetector | undefined
  #input: AudioInput
  #turn: OpenTurn | undefined
  #isAnswering = false

  constructor(deps: TurnsDeps, { inputFormat, turnDetection }: SessionConfig) {
    this.#deps = deps
    this.#buffer = new InputBuffer(inputFormat)
    this.#input = new AudioInput(inputFormat)
    this.#detect(turnDetection)
  }

  /** Milliseconds of sound since the session began. */
  get nowMs(): number {
    return this.#buffer.endMs
  }

  get isSpeaking(): boolean {
    return this.#turn !== undefined
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#checkRoom(bytes)
    const samples = this.#buffer.append(bytes)
    const detector = this.#detector
    if (!detector) return
    const step = STEP_MS * bytesPerMs(this.#buffer.format)
    for (let at = 0; at < samples.length; at += step) {
      const events = await detector.push(this.#input.push(samples.subarray(at, at + step)))
      for (const event of events) this.#hear(event)
    }
    if (this.#turn && this.#buffer.endMs - this.#turn.fedMs >= FEED_MS) this.#feed(this.#turn, this.#buffer.endMs)
    this.#buffer.forget(Math.min(detector.keepFromMs(), this.#buffer.endMs - IDLE_KEEP_MS))
  }

  #checkRoom({ length }: Uint8Array): void {
    const param = 'audio'
    if (length > MAX_APPEND_BYTES) {
      const message = `Expected at most ${MAX_APPEND_BYTES} bytes of audio, but got ${length}.`
      throw new ProtocolError('string_above_max_length', message, { param })
    }
    const maxBytes = this.#deps.limits.maxBufferMs * bytesPerMs(this.#buffer.format)
    if (this.#buffer.bytes + length <= maxBytes) return
    const seconds = this.#deps.limits.maxBufferMs / 1_000
    throw new ProtocolError('input_audio_buffer_full', `The buffer holds ${seconds} s: commit or clear it.`, { param })
  }

  /** The client ends the turn. */
  commit(): void {
    const { startMs, endMs } = this.#buffer
    const turn = this.#turn
    if (endMs - (turn?.startMs ?? startMs) < LEAST_COMMIT_MS) {
      const message = `Error committing input audio buffer: buffer too small. Expected at least ${LEAST_COMMIT_MS}ms of audio, but buffer only has ${(endMs - startMs).toFixed(2)}ms of audio.`
      throw new ProtocolError('input_audio_buffer_commit_empty', message)
    }
    this.#turn = undefined
    this.#detector?.reset(endMs)
    this.#commit(turn ?? this.#openTurn(startMs), endMs, false)
  }

  clear(): void {
    this.#drop()
    this.#buffer.clear()
    this.#detector?.reset(this.#buffer.endMs)
  }

  configure({ inputFormat, turnDetection }: SessionConfig): void {
    const isNewFormat = inputFormat !== this.#buffer.format
    if (isNewFormat) {
      this.#drop()
      this.#buffer.setFormat(inputFormat)
      this.#input = new AudioInput(inputFormat)
    }
    if (turnDetection === null) this.#drop()
    if (isNewFormat) this.#stopDetecting()
    this.#detect(turnDetection)
  }

  /** The assistant is being heard, or no longer. */
  setAnswering(isAnswering: boolean): void {
    if (this.#isAnswering === isAnswering) return
    this.#isAnswering = isAnswering
    if (this.#detection) this.#detector?.configure(this.#settings(this.#detection))
  }

  close(): void {
    this.#drop()
    this.#stopDetecting()
  }

  #detect(detection: TurnDetection | null): void {
    this.#detection = detection
    if (!detection) {
      this.#stopDetecting()
      return
    }
    const settings = this.#settings(detection)
    if (this.#detector) {
      this.#detector.configure(settings)
      return
    }
    // The stream begins here: a resampler that had heard earlier sound would be ahead of it.
    this.#input = new AudioInput(this.#buffer.format)
    this.#detector = createTurnDetector({ detector: this.#deps.detector, settings, startMs: this.#buffer.endMs })
  }

  #stopDetecting(): void {
    const detector = this.#detector
    this.#detector = undefined
    // Nobody waits for a stream that is no longer read; a dead detector has no stream.
    detector?.close().catch(() => undefined)
  }

  #settings(detection: TurnDetection): TurnSettings {
    const { threshold, prefixPaddingMs, silenceDurationMs, interruptResponse } = detection
    const { maxTurnMs, backchannelMs } = this.#deps.limits
    const isGuarded = this.#isAnswering && interruptResponse && backchannelMs > 0
    const base = { threshold, prefixPaddingMs, silenceDurationMs, maxTurnMs }
    return isGuarded ? { ...base, minSpeechMs: backchannelMs } : base
  }

  #hear(event: TurnEvent): void {
    if (event.kind === 'started') {
      this.#turn = this.#openTurn(Math.max(event.atMs, this.#buffer.startMs))
      this.#deps.onStarted(this.#turn.itemId, Math.round(this.#turn.startMs))
      return
    }
    const turn = this.#turn
    if (!turn) return
    const { hearing } = turn.ear
    if (event.kind === 'resumed') hearing.speechWentOn()
    if (event.kind === 'paused') {
      // Not all there is: a large append may hold what comes after the pause as well.
      this.#feed(turn, Math.min(event.atMs + JUDGED_SILENCE_MS, this.#buffer.endMs))
      hearing.pauseBegan()
    }
    if (event.kind === 'stopped') this.#stopped(turn, event.atMs)
  }

  #stopped(turn: OpenTurn, atMs: number): void {
    this.#turn = undefined
    this.#deps.onStopped(turn.itemId, Math.round(atMs))
    this.#commit(turn, atMs, true)
  }

  #openTurn(startMs: number): OpenTurn {
    const input = new AudioInput(this.#buffer.format)
    return { itemId: newProtocolId('item'), startMs, ear: this.#deps.openEar(), input, fedMs: startMs }
  }

  #feed(turn: OpenTurn, toMs: number): void {
    if (toMs <= turn.fedMs) return
    turn.ear.hearing.push(turn.input.push(this.#buffer.read(turn.fedMs, toMs)))
    turn.fedMs = toMs
  }

  #commit(turn: OpenTurn, endMs: number, byDetector: boolean): void {
    this.#feed(turn, endMs)
    const { itemId, startMs, ear } = turn
    const { format } = this.#buffer
    const audio = this.#buffer.read(startMs, endMs)
    this.#buffer.cutAt(endMs)
    this.#deps.onCommitted({ itemId, audio, format, durationMs: endMs - startMs, ear }, byDetector)
  }

  #drop(): void {
    this.#turn?.ear.hearing.cancel()
    this.#turn = undefined
  }
}
