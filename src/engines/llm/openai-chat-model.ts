import OpenAI from 'openai'
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import { LipikError } from '../../platform/errors.ts'
import type { LanguageModel, ReplyPiece, ReplyRequest } from '../../speech/language-model.ts'
import { chatFailure } from './chat-failure.ts'
import { chatMessages, chatTool } from './chat-messages.ts'
import { ChatReply } from './chat-reply.ts'

export type ChatServer = {
  /** Up to and with `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  /** From the question to the first piece, and from each piece to the next. */
  readonly stallMs?: number
  /** A caller is listening: a server that asks for a longer wait is given up. */
  readonly maxWaitMs?: number
  readonly firstDelayMs?: number
}

const ATTEMPTS = 3

/** Any server with OpenAI's `POST /chat/completions`. Asked again, shortly, only as long as nothing of the reply has left. */
export function createOpenAiChatModel(server: ChatServer): LanguageModel {
  const { baseUrl, model, apiKey = 'none', stallMs = 20_000, maxWaitMs = 3_000, firstDelayMs = 200 } = server
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0, timeout: stallMs, logLevel: 'off' })
  const closing = new AbortController()

  async function* reply(request: ReplyRequest, given?: AbortSignal): AsyncGenerator<ReplyPiece> {
    const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal
    for (let attempt = 1; ; attempt++) {
      let hasBegun = false
      try {
        for await (const piece of ask(request, signal)) {
          hasBegun = true
          yield piece
        }
        return
      } catch (error) {
        if (signal.aborted) throw new LipikError('cancelled', 'the reply was broken off')
        const failure = chatFailure(error)
        const waitMs = waitBefore(failure, attempt)
        if (hasBegun || !mayPass(failure) || attempt === ATTEMPTS || waitMs > maxWaitMs) throw failure
        await wait(waitMs, signal)
      }
    }
  }

  function waitBefore({ details }: LipikError, attempt: number): number {
    const seconds = details?.retry_after_seconds
    return typeof seconds === 'number' ? seconds * 1000 : firstDelayMs * 2 ** (attempt - 1)
  }

  async function* ask(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<ReplyPiece> {
    const stalled = new AbortController()
    const stream = await client.chat.completions.create(question(model, request), {
      signal: AbortSignal.any([signal, stalled.signal]),
    })
    const said = new ChatReply(request)
    for await (const chunk of withoutStall(stream, stallMs, stalled)) yield* said.take(chunk)
    yield* said.end()
  }

  return {
    name: model,
    reply,
    async close() {
      closing.abort()
    },
  }
}

/** A wrong key or a missing model is mended by a person, not by asking again at once. */
const mayPass = ({ retryable, code }: LipikError): boolean => retryable && code !== 'model_unavailable'

function question(model: string, request: ReplyRequest): ChatCompletionCreateParamsStreaming {
  const { tools, toolChoice, maxTokens, temperature } = request
  const choice =
    typeof toolChoice === 'string' ? toolChoice : { type: 'function' as const, function: { name: toolChoice.name } }
  return {
    model,
    messages: chatMessages(request),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && { tools: tools.map(chatTool), tool_choice: choice }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  }
}

async function* withoutStall(
  stream: AsyncIterable<ChatCompletionChunk>,
  stallMs: number,
  stalled: AbortController,
): AsyncGenerator<ChatCompletionChunk> {
  const timer = setTimeout(() => stalled.abort(), stallMs)
  try {
    for await (const chunk of stream) {
      yield chunk
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
    if (stalled.signal.aborted) {
      // biome-ignore lint/correctness/noUnsafeFinally: the abort it replaces is our own
      throw new LipikError('engine_timeout', `the language model server said nothing for ${stallMs} ms`)
    }
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
