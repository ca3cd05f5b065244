import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/log.ts'
import { keepAwake } from '../speech/keep-awake.ts'
import type { LanguageModel } from '../speech/language-model.ts'
import type { ChunkTranscriber, Synthesizer, VoiceDetector } from '../speech/ports.ts'
import type { Allowance } from './allowance.ts'
import { Conversation } from './conversation.ts'
import { newAudioPart, newMessage } from './conversation-item.ts'
import { HANDLERS } from './handlers.ts'
import { IdleTimer } from './idle-timer.ts'
import type { Outbox } from './outbox.ts'
import { ProtocolError } from './protocol-error.ts'
import { newProtocolId } from './protocol-id.ts'
import { type Manner, renderEvent } from './render-event.ts'
import type { ResponseRun } from './response-run.ts'
import { Responses } from './responses.ts'
import type { ClientEvent, ClientEventOf, ClientEvents, ClientEventType } from './schema/client-events.ts'
import { parseClientEvent } from './schema/parse-client-event.ts'
import type { ServerEvent, SessionView } from './server-event.ts'
import type { SessionConfig } from './session-config.ts'
import type { SessionState } from './session-state.ts'
import { Transcripts } from './transcripts.ts'
import { type CommittedTurn, type TurnLimits, Turns } from './turns.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What all sessions of a service share. */
export type SessionServices = {
  readonly model: LanguageModel
  readonly synthesizer: Synthesizer
  readonly transcriber: ChunkTranscriber
  readonly detector: VoiceDetector
  readonly languages: readonly string[]
  readonly vocabulary: Vocabulary
  readonly events: ClientEvents
  readonly clock: Clock
  readonly log: Logger
  readonly limits: TurnLimits & {
    readonly maxSessionMs: number
    /** Sound that is kept for `conversation.item.retrieve`. */
    readonly maxKeptBytes: number
  }
}

export type SessionOptions = {
  readonly config: SessionConfig
  readonly manner: Manner
  readonly outbox: Outbox
  /** Responses of this session's key, in all of its sessions. */
  readonly allowance: Allowance
}

/**
 * One connection's session: an actor. Frames wait in its mailbox and are handled one after the other; whatever works beside it
 * (hearing, thinking, speaking) comes back through its parts, which drop what is no longer wanted.
 */
export class Session {
  readonly id = newProtocolId('sess')
  readonly #services: SessionServices
  readonly #options: SessionOptions
  readonly #state: SessionState
  readonly #mailbox: string[] = []
  readonly #expiry: NodeJS.Timeout
  readonly #expiresAt: number
  readonly #idle: IdleTimer
  readonly #letSleep: () => void
  #isBusy = false
  #isOpen = true

  constructor(services: SessionServices, options: SessionOptions) {
    this.#services = services
    this.#options = options
    const { maxSessionMs } = services.limits
    this.#expiresAt = Math.floor((services.clock.now().getTime() + maxSessionMs) / 1_000)
    this.#expiry = setTimeout(() => this.#expire(), maxSessionMs)
    this.#expiry.unref()
    this.#idle = new IdleTimer(() => this.#nobodySpoke())
    this.#state = this.#newState()
    // While the caller draws breath: whoever speaks first must not wait for models to be read.
    this.#letSleep = keepAwake([services.detector, services.transcriber, services.synthesizer])
    this.#emit({ kind: 'session.created', session: this.#view() })
  }

  /** Frames that wait, about in bytes: who sends faster than it is heard should be held back. */
  waiting = 0

  get isIdle(): boolean {
    return this.#state.responses.isIdle && !this.#isBusy
  }

  receive(frame: string): void {
    if (!this.#isOpen) return
    this.#mailbox.push(frame)
    this.waiting += sizeOf(frame)
    if (!this.#isBusy) void this.#work()
  }

  /** A frame that can be no event at all. */
  refuse(error: ProtocolError): void {
    this.#tell(error, null)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearTimeout(this.#expiry)
    this.#idle.stop()
    this.#letSleep()
    this.#mailbox.length = 0
    this.waiting = 0
    this.#state.responses.cancelAll()
    this.#state.transcripts.close()
    this.#state.turns.close()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let frame = this.#mailbox.shift(); frame !== undefined; frame = this.#mailbox.shift()) {
      this.waiting -= sizeOf(frame)
      const handled = this.#handle(frame)
      if (handled) await handled
      this.#options.outbox.onWorked()
    }
    this.#isBusy = false
  }

  #handle(frame: string): Promise<void> | undefined {
    const parsed = parseClientEvent(this.#services.events, frame)
    if ('error' in parsed) {
      this.#tell(parsed.error, parsed.eventId)
      return undefined
    }
    const { event } = parsed
    const fail = (error: unknown) => this.#tell(error, event.event_id ?? null)
    try {
      return dispatch(this.#state, event)?.catch(fail)
    } catch (error) {
      fail(error)
      return undefined
    }
  }

  #tell(error: unknown, eventId: string | null): void {
    const known = error instanceof ProtocolError
    if (!known) this.#services.log.error({ error, session: this.id }, 'an event could not be handled')
    const { type, code, message, param } = known
      ? error
      : new ProtocolError('server_error', 'The server had an error while processing your event.', {
          type: 'server_error',
        })
    this.#emit({ kind: 'error', error: { type, code, message, param }, eventId })
  }

  #emit(event: ServerEvent): void {
    if (!this.#isOpen) return
    for (const wire of renderEvent(event, this.#state?.manner ?? this.#options.manner)) {
      this.#options.outbox.send({ type: wire.type, event_id: newProtocolId('event'), ...wire })
    }
  }

  #view(): SessionView {
    return { id: this.id, expiresAt: this.#expiresAt, config: this.#state.config }
  }

  #newState(): SessionState {
    const { transcriber, languages, log, vocabulary, limits, detector } = this.#services
    const { config, manner } = this.#options
    const emit = (event: ServerEvent) => this.#emit(event)
    const conversation = new Conversation()
    const transcripts = new Transcripts({ transcriber, languages, conversation, emit, log })
    const turns = new Turns(
      {
        detector,
        limits,
        openEar: () => transcripts.openEar(this.#state.config.transcription),
        onStarted: (itemId, audioStartMs) => this.#speechStarted(itemId, audioStartMs),
        onStopped: (itemId, audioEndMs) => emit({ kind: 'speech.stopped', audioEndMs, itemId }),
        onCommitted: (turn, byDetector) => this.#committed(turn, byDetector),
      },
      config,
    )
    const responses = this.#newResponses(conversation, transcripts)
    const { maxKeptBytes } = limits
    const view = () => this.#view()
    const parts = { vocabulary, maxKeptBytes, conversation, turns, transcripts, responses, view, emit }
    return { config, manner, hasSpoken: false, ...parts }
  }

  #newResponses(conversation: Conversation, transcripts: Transcripts): Responses {
    const { model, synthesizer, log, vocabulary } = this.#services
    const { outbox, allowance } = this.#options
    return new Responses({
      conversation,
      transcripts,
      vocabulary,
      run: {
        model,
        synthesizer,
        log,
        emit: (event) => this.#emit(event),
        keepsUp: () => outbox.keepsUp(),
        takeAllowance: () => allowance.take(),
        rateLimits: () => [
          {
            name: 'requests',
            limit: allowance.limit,
            remaining: allowance.remaining,
            resetSeconds: allowance.resetSeconds,
          },
        ],
      },
      onSpeaking: () => {
        this.#state.hasSpoken = true
        this.#state.turns.setAnswering(true)
      },
      onDone: (run) => this.#responseDone(run),
    })
  }

  /** Told first: clients stop playing when they hear of it. Then the response is ended, then the turn goes on. */
  #speechStarted(itemId: string, audioStartMs: number): void {
    this.#idle.stop()
    this.#emit({ kind: 'speech.started', audioStartMs, itemId })
    if (this.#state.config.turnDetection?.interruptResponse) this.#state.responses.interrupt()
  }

  #committed({ itemId, audio, format, durationMs, ear }: CommittedTurn, byDetector: boolean): void {
    const { conversation, transcripts, config, maxKeptBytes } = this.#state
    const item = newMessage('user', [newAudioPart(format, [audio], durationMs)], { id: itemId })
    const previousItemId = conversation.insert(item)
    conversation.forgetSound(maxKeptBytes)
    this.#emit({ kind: 'buffer.committed', previousItemId, itemId })
    this.#emit({ kind: 'item.added', previousItemId, item, isDone: true })
    transcripts.follow(item, 0, ear, config.transcription)
    if (byDetector && config.turnDetection?.createResponse) this.#answer()
  }

  /** A response nobody asked for by an event: a failure to begin it is told without an event's id. */
  #answer(): void {
    const { responses, config, manner, hasSpoken } = this.#state
    try {
      responses.create({}, { config, dialect: manner.dialect, hasSpoken })
    } catch (error) {
      this.#tell(error, null)
    }
  }

  #responseDone(run: ResponseRun): void {
    const { turns, conversation, config, maxKeptBytes } = this.#state
    turns.setAnswering(false)
    conversation.forgetSound(maxKeptBytes)
    const idleMs = config.turnDetection?.idleTimeoutMs
    if (idleMs && run.status === 'completed' && this.#isOpen) this.#idle.start(idleMs + run.soundMs)
  }

  /** Nobody said anything for as long as the client asked to be told after: an empty turn, and a response to it. */
  #nobodySpoke(): void {
    const { turns, responses, conversation } = this.#state
    if (!this.#isOpen || turns.isSpeaking || responses.running) return
    const item = newMessage('user', [])
    const nowMs = Math.round(turns.nowMs)
    this.#emit({ kind: 'idle.timeout', audioStartMs: nowMs, audioEndMs: nowMs, itemId: item.id })
    const previousItemId = conversation.insert(item)
    this.#emit({ kind: 'buffer.committed', previousItemId, itemId: item.id })
    this.#emit({ kind: 'item.added', previousItemId, item, isDone: true })
    this.#answer()
  }

  #expire(): void {
    const minutes = Math.round(this.#services.limits.maxSessionMs / 60_000)
    const message = `Your session hit the maximum duration of ${minutes} minutes.`
    this.#tell(new ProtocolError('session_expired', message), null)
    this.#options.outbox.close(1001, message)
    // Also for a client that does not answer the farewell.
    this.close()
  }
}

/** A frame of two letters takes more memory than they do. */
const FRAME_BYTES = 64
const sizeOf = (frame: string): number => frame.length + FRAME_BYTES

function dispatch<T extends ClientEventType>(state: SessionState, event: ClientEvent): Promise<void> | undefined {
  // The key and the event are of one type, which the compiler cannot see through the union.
  const handle = HANDLERS[event.type] as (state: SessionState, event: ClientEventOf<T>) => void | Promise<void>
  return handle(state, event as ClientEventOf<T>) ?? undefined
}
