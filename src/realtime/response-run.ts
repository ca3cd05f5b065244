import { LipikError } from '../platform/errors.ts'
import type { Logger } from '../platform/log.ts'
import type { LanguageModel, ReplyPiece, ReplyRequest } from '../speech/language-model.ts'
import type { Synthesizer } from '../speech/ports.ts'
import { durationMsOf } from './audio-format.ts'
import { CallOutput } from './call-output.ts'
import type { Conversation } from './conversation.ts'
import type { Item } from './conversation-item.ts'
import { type MessageOutput, WrittenMessage } from './message-output.ts'
import { newProtocolId } from './protocol-id.ts'
import type { ResponseContext } from './response-context.ts'
import type { Emit, RateLimit, ResponseStatus, ResponseView, ServerEvent, Usage } from './server-event.ts'
import type { SessionConfig } from './session-config.ts'
import { SpokenMessage } from './spoken-message.ts'

export type ResponseDeps = {
  readonly model: LanguageModel
  readonly synthesizer: Synthesizer
  readonly emit: Emit
  readonly keepsUp: () => Promise<void> | undefined
  readonly log: Logger
  /** Counts this response against the limit of its key. */
  readonly takeAllowance: () => boolean
  readonly rateLimits: () => readonly RateLimit[]
  readonly onSound: () => void
  readonly onDone: (run: ResponseRun) => void
}

export type ResponseRequest = {
  readonly config: SessionConfig
  /** Id of the voice that `config.voice` means. */
  readonly voice: string
  /** Undefined: out of band. */
  readonly conversation: Conversation | undefined
  readonly metadata: Readonly<Record<string, string>> | null
  readonly mayCallSeveral: boolean
  /** Resolves when everything it refers to has been heard. */
  readonly context: (signal: AbortSignal) => Promise<Pick<ReplyRequest, 'turns' | 'language'>>
}

/** About four letters a token, and twenty tokens a second of sound: only for what the model does not count itself. */
const LETTERS_PER_TOKEN = 4
const AUDIO_TOKEN_MS = 50

/** An hour of speech: a model that never ends is ended here. */
const MOST_LETTERS = 65_536

/**
 * One reply, from `response.created` to `response.done`. It ends once: by itself, by a failure, or by `cancel`; after that its
 * workers may still be running, but nothing of theirs leaves any more.
 */
export class ResponseRun {
  readonly id = newProtocolId('resp')
  readonly #deps: ResponseDeps
  readonly #request: ResponseRequest
  readonly #abort = new AbortController()
  readonly #output: Item[] = []
  readonly #calls = new Map<number, CallOutput>()
  #status: ResponseStatus = { status: 'in_progress' }
  #message: MessageOutput | undefined
  #nextIndex = 0
  #inputTokens = 0
  #outputTokens: number | undefined
  #soundMs = 0
  #letters = 0

  constructor(deps: ResponseDeps, request: ResponseRequest) {
    this.#deps = deps
    this.#request = request
  }

  get isRunning(): boolean {
    return this.#status.status === 'in_progress'
  }

  /** Sound of it has left: somebody is listening to it. */
  get soundMs(): number {
    return this.#soundMs
  }

  get status(): ResponseStatus['status'] {
    return this.#status.status
  }

  start(): void {
    const { emit, takeAllowance, rateLimits } = this.#deps
    const isAllowed = takeAllowance()
    emit({ kind: 'response.created', response: this.#view() })
    emit({ kind: 'rate_limits', limits: rateLimits() })
    if (isAllowed) {
      void this.#run()
      return
    }
    const message = 'Too many responses: the limit of this key is used up.'
    this.#end({ status: 'failed', error: { type: 'invalid_request_error', code: 'rate_limit_exceeded', message } })
  }

  cancel(reason: 'turn_detected' | 'client_cancelled'): void {
    if (!this.isRunning) return
    this.#breakOff()
    this.#end({ status: 'cancelled', reason })
  }

  async #run(): Promise<void> {
    try {
      const end = await this.#reply()
      if (!this.isRunning) return
      await this.#finishMessage()
      if (!this.isRunning) return
      this.#finishCalls(end.reason)
      this.#end(statusOf(end.reason))
    } catch (error) {
      if (this.isRunning) this.#fail(error)
    }
  }

  async #reply(): Promise<Extract<ReplyPiece, { kind: 'end' }>> {
    const { config, context } = this.#request
    const { signal } = this.#abort
    const request: ReplyRequest = {
      instructions: config.instructions,
      ...(await context(signal)),
      tools: config.tools,
      toolChoice: config.toolChoice,
      temperature: config.temperature,
      ...(config.maxOutputTokens !== 'inf' && { maxTokens: config.maxOutputTokens }),
    }
    this.#inputTokens = estimateTokens(JSON.stringify([request.instructions, request.turns, request.tools]).length)
    for await (const piece of this.#deps.model.reply(request, signal)) {
      signal.throwIfAborted()
      if (piece.kind === 'end') {
        this.#inputTokens = piece.inputTokens ?? this.#inputTokens
        this.#outputTokens = piece.outputTokens
        return piece
      }
      await this.#take(piece)
      signal.throwIfAborted()
      if (this.#letters > MOST_LETTERS) return { kind: 'end', reason: 'length' }
    }
    throw new LipikError('engine_crashed', 'the language model broke off in the middle of a reply')
  }

  async #take(piece: Exclude<ReplyPiece, { kind: 'end' }>): Promise<void> {
    if (piece.kind === 'text') {
      this.#letters += piece.text.length
      this.#message ??= this.#newMessage()
      this.#message.write(piece.text)
      return
    }
    // A client that can answer only one call at a time is asked for one.
    if (piece.index > 0 && !this.#request.mayCallSeveral) return
    if (piece.kind === 'arguments') {
      this.#letters += piece.text.length
      this.#calls.get(piece.index)?.write(piece.text)
      return
    }
    // What is said before a call is said to its end, so that items follow each other.
    await this.#finishMessage()
    if (!this.isRunning) return
    this.#calls.set(piece.index, new CallOutput(this.#context(), this.#takeIndex(), piece.name))
  }

  async #finishMessage(): Promise<void> {
    await this.#message?.finish()
    if (this.isRunning) this.#message = undefined
  }

  /** All at the end: what follows the last call's `done` must be the response's, or a fast client answers too early. */
  #finishCalls(reason: string): void {
    for (const call of this.#calls.values()) {
      if (reason === 'complete') call.finish()
      else call.breakOff()
    }
    this.#calls.clear()
  }

  #breakOff(): void {
    this.#message?.breakOff()
    for (const call of this.#calls.values()) call.breakOff()
    this.#message = undefined
    this.#calls.clear()
  }

  #fail(error: unknown): void {
    this.#deps.log.warn({ error, response: this.id }, 'a response failed')
    this.#breakOff()
    this.#end({ status: 'failed', error: failureOf(error) })
  }

  #end(status: ResponseStatus): void {
    this.#status = status
    this.#deps.emit({ kind: 'response.done', response: this.#view() })
    this.#abort.abort()
    this.#deps.onDone(this)
  }

  #newMessage(): MessageOutput {
    const { config, voice } = this.#request
    const nextIndex = () => this.#takeIndex()
    if (config.modality === 'text') return new WrittenMessage(this.#context(), nextIndex)
    const { synthesizer, keepsUp, onSound } = this.#deps
    const { signal } = this.#abort
    return new SpokenMessage(this.#context(), nextIndex, { synthesizer, voice, keepsUp, signal, onSound })
  }

  #takeIndex(): number {
    return this.#nextIndex++
  }

  #context(): ResponseContext {
    const { config, conversation } = this.#request
    return { responseId: this.id, config, conversation, emit: (event) => this.#emit(event) }
  }

  /** The only way out of its parts: shut when it has ended. */
  #emit(event: ServerEvent): void {
    if (!this.isRunning) return
    if (event.kind === 'output_item.added') this.#output.push(event.item)
    if (event.kind === 'audio.delta') this.#soundMs += soundMsOf(event.audio, this.#request.config)
    this.#deps.emit(event)
  }

  #view(): ResponseView {
    const { config, conversation, metadata } = this.#request
    const usage = this.isRunning ? null : this.#usage()
    const conversationId = conversation?.id ?? null
    return { id: this.id, status: this.#status, output: this.#output, conversationId, config, usage, metadata }
  }

  #usage(): Usage {
    if (this.#status.status === 'failed') return { inputTokens: 0, textTokens: 0, audioTokens: 0 }
    return {
      inputTokens: this.#inputTokens,
      textTokens: this.#outputTokens ?? estimateTokens(this.#letters),
      audioTokens: Math.ceil(this.#soundMs / AUDIO_TOKEN_MS),
    }
  }
}

const estimateTokens = (letters: number): number => Math.ceil(letters / LETTERS_PER_TOKEN)

const soundMsOf = ({ length }: Uint8Array, { outputFormat }: SessionConfig): number =>
  durationMsOf(outputFormat, length)

function statusOf(reason: 'complete' | 'length' | 'filtered'): ResponseStatus {
  if (reason === 'complete') return { status: 'completed' }
  return { status: 'incomplete', reason: reason === 'length' ? 'max_output_tokens' : 'content_filter' }
}

/** What somebody outside may know of a failure. */
function failureOf(error: unknown): { type: string; code: string; message: string } {
  if (!(error instanceof LipikError)) {
    return { type: 'server_error', code: 'server_error', message: 'The response failed; the log has the cause.' }
  }
  if (error.code === 'quota_exceeded') {
    return { type: 'invalid_request_error', code: 'rate_limit_exceeded', message: error.message }
  }
  return { type: 'server_error', code: error.code, message: error.message }
}
