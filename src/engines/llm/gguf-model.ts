import type { ChatHistoryItem, Context, Llama, Model, Sequence } from 'node-llama-cpp'
import { LipikError } from '../../platform/errors.ts'
import { hideReasoning } from '../../speech/hide-reasoning.ts'
import type { LanguageModel, ReplyPiece, ReplyRequest } from '../../speech/language-model.ts'
import { ggufHistory } from './gguf-history.ts'
import { PieceQueue } from './piece-queue.ts'

export type GgufOptions = {
  readonly path: string
  readonly threads: number
  /** Tokens of conversation and reply together. */
  readonly contextTokens?: number
}

const MOST_CALLS = 4
type Runtime = typeof import('node-llama-cpp')
type Loaded = {
  readonly runtime: Runtime
  readonly llama: Llama
  readonly model: Model
  readonly context: Context
  readonly sequence: Sequence
}

/** A GGUF file in this process, through node-llama-cpp, which works on threads of its own. One reply at a time; others wait. */
export async function openGgufModel(options: GgufOptions): Promise<LanguageModel> {
  const loaded = await load(options)
  let last: Promise<unknown> = Promise.resolve()

  async function* reply(request: ReplyRequest, signal?: AbortSignal): AsyncGenerator<ReplyPiece> {
    const queue = new PieceQueue<ReplyPiece>()
    // A listener who leaves ends the generator, and with it the work.
    const left = new AbortController()
    const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal
    last = last
      .then(() => generate(loaded, request, (piece) => queue.push(piece), stop))
      .then(
        () => queue.end(),
        (error: unknown) => queue.fail(error),
      )
    try {
      for await (const piece of queue) {
        if (signal?.aborted) break
        yield piece
      }
    } finally {
      left.abort()
    }
    if (signal?.aborted) throw new LipikError('cancelled', 'the reply was broken off')
  }

  return {
    name: options.path.split('/').at(-1) ?? 'gguf',
    reply,
    async close() {
      await last
      await loaded.context.dispose()
      await loaded.model.dispose()
      await loaded.llama.dispose()
    },
  }
}

async function load({ path, threads, contextTokens = 4_096 }: GgufOptions): Promise<Loaded> {
  const runtime = await import('node-llama-cpp').catch((cause: unknown) => {
    throw new LipikError(
      'model_unavailable',
      'LLM_GGUF needs the package node-llama-cpp: npm install --no-save node-llama-cpp',
      { cause },
    )
  })
  try {
    const llama = await runtime.getLlama({ build: 'never', maxThreads: threads, progressLogs: false })
    const model = await llama.loadModel({ modelPath: path })
    const context = await model.createContext({ contextSize: { max: contextTokens } })
    return { runtime, llama, model, context, sequence: context.getSequence() }
  } catch (cause) {
    throw new LipikError('model_unavailable', `the language model ${path} cannot be loaded`, { cause })
  }
}

type Give = (piece: ReplyPiece) => void

async function generate(loaded: Loaded, request: ReplyRequest, give: Give, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const chat = new loaded.runtime.LlamaChat({ contextSequence: loaded.sequence })
  const before = { ...countOf(loaded.sequence) }
  try {
    const isForced = request.toolChoice !== 'auto' && request.toolChoice !== 'none' && request.tools.length > 0
    const history = ggufHistory(request)
    const reason = await (isForced ? forceCall : answer)({ loaded, chat, history, request, give, signal })
    const after = countOf(loaded.sequence)
    give({ kind: 'end', reason, inputTokens: after.input - before.input, outputTokens: after.output - before.output })
  } finally {
    chat.dispose()
  }
}

const countOf = ({ tokenMeter }: Sequence) => ({
  input: tokenMeter.usedInputTokens,
  output: tokenMeter.usedOutputTokens,
})

type Task = {
  readonly loaded: Loaded
  readonly chat: InstanceType<Runtime['LlamaChat']>
  readonly history: ChatHistoryItem[]
  readonly request: ReplyRequest
  readonly give: Give
  readonly signal: AbortSignal
}
type Reason = Extract<ReplyPiece, { kind: 'end' }>['reason']

async function answer({ chat, history, request, give, signal }: Task): Promise<Reason> {
  const reasoning = hideReasoning()
  const say = (text: string) => text !== '' && give({ kind: 'text', text })
  const functions = Object.fromEntries(
    request.tools.map(({ name, description, parameters }) => [
      name,
      { ...(description && { description }), ...(parameters && { params: parameters }) },
    ]),
  )
  const mayCall = request.toolChoice === 'auto' && request.tools.length > 0
  const { functionCalls = [], metadata } = await chat.generateResponse(history, {
    ...limitsOf(request, signal),
    onTextChunk: (text) => say(reasoning.push(text)),
    ...(mayCall && { functions, documentFunctionParams: true, maxParallelFunctionCalls: MOST_CALLS }),
  })
  say(reasoning.end())
  for (const [index, { functionName, params }] of functionCalls.entries()) giveCall(give, index, functionName, params)
  return metadata.stopReason === 'maxTokens' ? 'length' : 'complete'
}

/** A grammar leaves the model nothing to write but a call. */
async function forceCall({ loaded, chat, history, request, give, signal }: Task): Promise<Reason> {
  const { toolChoice, tools } = request
  const allowed = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools
  const grammar = await loaded.llama.createGrammarForJsonSchema({
    oneOf: allowed.map(({ name, parameters }) => ({
      type: 'object',
      properties: { name: { const: name }, arguments: parameters ?? { type: 'object', properties: {} } },
    })),
  })
  const { response, metadata } = await chat.generateResponse(history, { ...limitsOf(request, signal), grammar })
  if (metadata.stopReason === 'maxTokens') return 'length'
  if (signal.aborted) return 'complete'
  // The grammar allows nothing else.
  const call = grammar.parse(response) as { name: string; arguments: unknown }
  giveCall(give, 0, call.name, call.arguments)
  return 'complete'
}

function giveCall(give: Give, index: number, name: string, params: unknown): void {
  give({ kind: 'call', index, name })
  give({ kind: 'arguments', index, text: JSON.stringify(params ?? {}) })
}

const limitsOf = ({ maxTokens, temperature }: ReplyRequest, signal: AbortSignal) => ({
  signal,
  stopOnAbortSignal: true,
  ...(maxTokens !== undefined && { maxTokens }),
  ...(temperature !== undefined && { temperature }),
})
