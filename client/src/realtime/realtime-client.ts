import type { TokenSource } from '../connection.ts'
import { LipikConnectionError } from '../failures.ts'
import { type Change, Conversation, type ConversationItem, type ItemDelta } from './conversation.ts'
import { Listeners } from './listeners.ts'
import { toBase64 } from './pcm.ts'
import type {
  AnyEvent,
  Fault,
  ResponseConfig,
  ServerEvent,
  Session,
  SessionConfig,
  ToolDefinition,
} from './realtime-events.ts'
import { openSocket, realtimeAddress, type SocketClass, type SocketLike } from './realtime-socket.ts'
import { type FunctionCall, ToolCalls, type ToolImplementation } from './tool-calls.ts'

export type RealtimeOptions = {
  /** Where the service is: the same address as for files. */
  readonly url: string
  /** In a browser an ephemeral token (`ek_...`); elsewhere also a key or a JWT. */
  readonly token: TokenSource
  readonly model?: string
  readonly session?: SessionConfig
  /** Where there is none built in (Node.js 20): that of the package ws. */
  readonly WebSocket?: unknown
}

/** An `error` event of the service. */
export class RealtimeError extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.code === null ? fault.message : `${fault.message} (${fault.code})`)
    this.name = 'RealtimeError'
    this.fault = fault
  }
}

export type RealtimeEvents = {
  /** Everything that goes over the line, both ways. */
  'realtime.event': { readonly time: number; readonly source: 'client' | 'server'; readonly event: AnyEvent }
  function_call: FunctionCall
  'conversation.item.appended': { readonly item: ConversationItem }
  'conversation.item.completed': { readonly item: ConversationItem }
  'conversation.updated': { readonly item: ConversationItem; readonly delta: ItemDelta }
  'conversation.item.deleted': { readonly item: ConversationItem }
  /** The user began to speak, or `interrupt()` was called (then there is no item): what is being played should stop. */
  'conversation.interrupted': { readonly itemId?: string }
  error: Error
  close: { readonly code: number; readonly reason: string }
}

type Waiting = {
  readonly eventId: string
  readonly resolve: (session: Session) => void
  readonly reject: (error: Error) => void
}

const MODEL = 'lipik-realtime'
const OPEN = 1
/** The user's own words cut an answer short: the service had ended it already. */
const HARMLESS = 'response_cancel_not_active'

/** One voice session with the service. */
export class RealtimeClient {
  readonly conversation = new Conversation()
  readonly #options: RealtimeOptions
  readonly #listeners = new Listeners<RealtimeEvents>()
  readonly #tools: ToolCalls
  #socket: SocketLike | undefined
  #session: Session | undefined
  #eventNumber = 0
  /** Updates are answered in the order they were sent. */
  #updates: Waiting[] = []

  constructor(options: RealtimeOptions) {
    this.#options = options
    this.#tools = new ToolCalls({
      // A tool may end after its session has.
      send: (event) => void (this.isConnected && this.send(event)),
      onCall: (call) => this.#listeners.emit('function_call', call),
    })
  }

  get session(): Session | undefined {
    return this.#session
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === OPEN
  }

  /** The answer takes the listener away again. */
  on<Name extends keyof RealtimeEvents>(name: Name, listener: (value: RealtimeEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Resolves when the session is open and has the wanted configuration and tools. */
  async connect(): Promise<Session> {
    if (this.#socket) throw new TypeError('a client has one session: make another for the next')
    const { url, token, model = MODEL, session } = this.#options
    const credential = typeof token === 'string' ? token : await token()
    // Any class with WebSocket's members will do; those of ws and of browsers have no type in common.
    const given = this.#options.WebSocket as SocketClass | undefined
    const socket = openSocket(realtimeAddress(url, model), credential, given)
    this.#socket = socket
    const created = await this.#firstEvent(socket)
    const tools = this.#tools.definitions()
    return session || tools.length > 0 ? this.updateSession(session ?? {}) : created
  }

  #firstEvent(socket: SocketLike): Promise<Session> {
    return new Promise((resolve, reject) => {
      const opening = { eventId: '', resolve, reject }
      this.#updates.push(opening)
      socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
      socket.addEventListener('error', ({ message }) => {
        this.#fail(new LipikConnectionError(message ?? 'the realtime connection failed'))
      })
      socket.addEventListener('close', ({ code, reason }) => {
        this.#fail(new LipikConnectionError(`the session was closed (${code}${reason === '' ? '' : ` ${reason}`})`))
        this.#listeners.emit('close', { code, reason })
      })
    })
  }

  /** Whoever waits for an answer will not get one any more. */
  #fail(error: Error): void {
    for (const { reject } of this.#updates.splice(0)) reject(error)
  }

  /** Registers a tool; during a session the service is told at once. */
  addTool(definition: ToolDefinition, implementation: ToolImplementation): void {
    this.#tools.add(definition, implementation)
    this.#tellTools()
  }

  removeTool(name: string): void {
    if (this.#tools.remove(name)) this.#tellTools()
  }

  #tellTools(): void {
    if (this.#session) this.updateSession({}).catch((error: Error) => this.#listeners.emit('error', error))
  }

  /** Rejects with the service's reason when it does not accept the change; nothing of it is applied then. */
  updateSession(changes: SessionConfig): Promise<Session> {
    const session = { type: 'realtime', ...changes, tools: this.#tools.definitions() }
    return new Promise((resolve, reject) => {
      const eventId = this.send({ type: 'session.update', session })
      this.#updates.push({ eventId, resolve, reject })
    })
  }

  /** A message of the user; the answer is asked for unless said otherwise. */
  sendText(text: string, { respond = true }: { readonly respond?: boolean } = {}): void {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    this.send({ type: 'conversation.item.create', item })
    if (respond) this.createResponse()
  }

  /** Sound of the user: 24 kHz, one channel. With turn detection the service finds the turns itself. */
  appendAudio(pcm: Int16Array): void {
    if (pcm.length > 0) this.send({ type: 'input_audio_buffer.append', audio: toBase64(pcm) })
  }

  /** Ends the user's turn by hand; needed only without turn detection. */
  commitAudio({ respond = true }: { readonly respond?: boolean } = {}): void {
    this.send({ type: 'input_audio_buffer.commit' })
    if (respond) this.createResponse()
  }

  createResponse(response: ResponseConfig = {}): void {
    this.send({ type: 'response.create', ...(Object.keys(response).length > 0 && { response }) })
  }

  cancelResponse(): void {
    this.send({ type: 'response.cancel' })
  }

  /** For a button: the answer is cancelled, and what plays it falls silent as if the user had spoken into it. */
  interrupt(): void {
    this.cancelResponse()
    this.#listeners.emit('conversation.interrupted', {})
  }

  /** Tells how much of an answer was heard, so that the model does not believe the rest was. */
  truncate(itemId: string, heardMs: number, contentIndex = 0): void {
    const audio_end_ms = Math.max(0, Math.round(Math.min(heardMs, this.conversation.item(itemId)?.audioMs ?? heardMs)))
    this.send({ type: 'conversation.item.truncate', item_id: itemId, content_index: contentIndex, audio_end_ms })
  }

  /** The output of a tool that the program runs itself. */
  sendToolOutput(callId: string, output: unknown): void {
    this.#tools.answer(callId, output)
    this.createResponse()
  }

  /** Any event of the protocol; the answer is its id. */
  send(event: AnyEvent): string {
    const eventId = event.event_id ?? `evt_${++this.#eventNumber}`
    if (!this.isConnected) throw new LipikConnectionError('the session is not open')
    const sent = { ...event, event_id: eventId }
    this.#listeners.emit('realtime.event', { time: Date.now(), source: 'client', event: sent })
    this.#socket?.send(JSON.stringify(sent))
    return eventId
  }

  close(): void {
    this.#socket?.close(1000, 'done')
  }

  #receive(text: string): void {
    // Frames come from the service alone, in the form that the types describe.
    const event = JSON.parse(text) as ServerEvent
    // A view of the same event for listeners, who may meet types that are not listed.
    const any = event as unknown as AnyEvent
    this.#listeners.emit('realtime.event', { time: Date.now(), source: 'server', event: any })
    if (event.type === 'session.created' || event.type === 'session.updated') this.#opened(event.session)
    if (event.type === 'error') this.#refused(event.error)
    if (event.type === 'input_audio_buffer.speech_started')
      this.#listeners.emit('conversation.interrupted', { itemId: event.item_id })
    for (const change of this.conversation.apply(event)) this.#tell(change)
    this.#tools.hear(event)
  }

  #opened(session: Session): void {
    this.#session = session
    this.#updates.shift()?.resolve(session)
  }

  #refused(fault: Fault): void {
    const error = new RealtimeError(fault)
    const [first] = this.#updates
    // Before the session is open any error is about opening it; later an update's error names it.
    const isAnswer = first && (this.#session === undefined || first.eventId === fault.event_id)
    if (isAnswer) this.#updates.shift()?.reject(error)
    else if (fault.code !== HARMLESS) this.#listeners.emit('error', error)
  }

  #tell(change: Change): void {
    const { item } = change
    if (change.kind === 'updated') this.#listeners.emit('conversation.updated', { item, delta: change.delta })
    else this.#listeners.emit(`conversation.item.${change.kind}`, { item })
  }
}
