import { applyShared, checkToolChoice, type Dialect, fromGaFormat, ownSpelling } from './apply-session.ts'
import { durationMsOf } from './audio-format.ts'
import { type Conversation, toTurns } from './conversation.ts'
import { type Item, itemOf } from './conversation-item.ts'
import { ProtocolError } from './protocol-error.ts'
import { type ResponseDeps, type ResponseRequest, ResponseRun } from './response-run.ts'
import type { ContextItemInput } from './schema/item-schema.ts'
import type { ResponseInput } from './schema/response-schema.ts'
import type { SessionConfig } from './session-config.ts'
import type { Transcripts } from './transcripts.ts'
import type { Vocabulary } from './vocabulary.ts'

export type ResponsesDeps = {
  readonly conversation: Conversation
  readonly transcripts: Transcripts
  readonly vocabulary: Vocabulary
  readonly run: Omit<ResponseDeps, 'onDone' | 'onSound'>
  /** The assistant's voice is heard in the conversation. */
  readonly onSpeaking: () => void
  /** The conversation's own response has ended. */
  readonly onDone: (run: ResponseRun) => void
}

export type CreateOptions = { readonly config: SessionConfig; readonly dialect: Dialect; readonly hasSpoken: boolean }

/** Out-of-band responses at the same time. */
const MAX_BESIDE = 8

/** At most one response in the conversation, and a few beside it. */
export class Responses {
  readonly #deps: ResponsesDeps
  readonly #beside = new Map<string, ResponseRun>()
  #running: ResponseRun | undefined

  constructor(deps: ResponsesDeps) {
    this.#deps = deps
  }

  get running(): ResponseRun | undefined {
    return this.#running
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#beside.size === 0
  }

  create(input: ResponseInput, options: CreateOptions): void {
    const isBeside = input.conversation === 'none'
    const config = this.#configOf(input, options, isBeside)
    if (!isBeside) this.#refuseSecond()
    else if (this.#beside.size >= MAX_BESIDE) {
      const message = `At most ${MAX_BESIDE} out-of-band responses run at the same time.`
      throw new ProtocolError('too_many_responses', message)
    }
    const request = this.#requestOf(input, config, options.dialect, isBeside)
    const run = new ResponseRun(
      { ...this.#deps.run, onSound: () => this.#heard(isBeside), onDone: this.#ended },
      request,
    )
    if (isBeside) this.#beside.set(run.id, run)
    else this.#running = run
    run.start()
  }

  /** Without an id: the one of the conversation. */
  cancel(responseId?: string | null): void {
    const run = responseId ? this.#find(responseId) : this.#running
    if (!run) {
      throw new ProtocolError('response_cancel_not_active', 'Cancellation failed: no active response found')
    }
    run.cancel('client_cancelled')
  }

  /** Somebody speaks into it. */
  interrupt(): void {
    this.#running?.cancel('turn_detected')
  }

  cancelAll(): void {
    for (const run of [this.#running, ...this.#beside.values()]) run?.cancel('client_cancelled')
  }

  #find(id: string): ResponseRun | undefined {
    return this.#running?.id === id ? this.#running : this.#beside.get(id)
  }

  #refuseSecond(): void {
    if (!this.#running) return
    const message = `Conversation already has an active response in progress: ${this.#running.id}. Wait until the response is finished before creating a new one.`
    throw new ProtocolError('conversation_already_has_active_response', message)
  }

  #heard(isBeside: boolean): void {
    if (!isBeside) this.#deps.onSpeaking()
  }

  readonly #ended = (run: ResponseRun): void => {
    this.#beside.delete(run.id)
    if (this.#running !== run) return
    this.#running = undefined
    this.#deps.onDone(run)
  }

  #configOf(input: ResponseInput, { config, dialect, hasSpoken }: CreateOptions, isBeside: boolean): SessionConfig {
    const { output = {} } = input.audio ?? {}
    const next: SessionConfig = {
      ...config,
      ...applyShared(config, input, dialect),
      voice: ownSpelling(dialect, input.voice, output.voice) ?? config.voice,
      outputFormat: ownSpelling(dialect, input.output_audio_format, fromGaFormat(output.format)) ?? config.outputFormat,
      speed: output.speed ?? config.speed,
    }
    checkToolChoice(next, 'response.tool_choice')
    const { resolveVoice } = this.#deps.vocabulary
    if (hasSpoken && !isBeside && resolveVoice(next.voice) !== resolveVoice(config.voice)) {
      throw new ProtocolError(
        'cannot_update_voice',
        "Cannot update a conversation's voice if assistant audio is present.",
      )
    }
    return next
  }

  #requestOf(input: ResponseInput, config: SessionConfig, dialect: Dialect, isBeside: boolean): ResponseRequest {
    const { conversation, transcripts, vocabulary } = this.#deps
    const items = input.input ? this.#contextItems(input.input, config) : [...conversation.items]
    return {
      config,
      voice: vocabulary.resolveVoice(config.voice) ?? vocabulary.defaultVoice,
      conversation: isBeside ? undefined : conversation,
      metadata: input.metadata ?? null,
      mayCallSeveral: config.parallelToolCalls ?? dialect === 'ga',
      context: async (signal) => {
        await transcripts.heard(items, signal)
        const language = languageOf(items)
        return { turns: toTurns(items), ...(language !== undefined && { language }) }
      },
    }
  }

  #contextItems(input: readonly ContextItemInput[], { inputFormat, transcription }: SessionConfig): Item[] {
    return input.map((each, at) => {
      if (each.type === 'item_reference') return this.#referred(each.id, `response.input[${at}].id`)
      const item = itemOf(each, { inputFormat, durationOf: (bytes) => durationMsOf(inputFormat, bytes) })
      if (item.kind === 'message' && item.role === 'user') this.#deps.transcripts.followItem(item, transcription)
      return item
    })
  }

  #referred(id: string, param: string): Item {
    const item = this.#deps.conversation.get(id)
    if (!item) throw new ProtocolError('invalid_value', `There is no item "${id}".`, { param })
    return item
  }
}

/** What the caller spoke last. */
function languageOf(items: readonly Item[]): string | undefined {
  const spoken = items.findLast((item) => item.kind === 'message' && item.role === 'user' && item.language)
  return spoken?.kind === 'message' ? spoken.language : undefined
}
