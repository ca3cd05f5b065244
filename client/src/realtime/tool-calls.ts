import type { AnyEvent, ServerEvent, ServerItem, ServerResponse, ToolDefinition } from './realtime-events.ts'

/** Gets the arguments as the model wrote them, parsed; what it returns goes back to the model. */
export type ToolImplementation = (given: Readonly<Record<string, unknown>>) => unknown

export type FunctionCall = {
  readonly name: string
  readonly callId: string
  readonly itemId: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export type ToolCallsOptions = {
  readonly send: (event: AnyEvent) => void
  readonly onCall: (call: FunctionCall) => void
}

/** A response's calls: their outputs go out as they come, and the next response is asked for once, when all are out. */
type Pending = { open: number; isDone: boolean; wasCut: boolean }

/** Runs the program's tools when the model calls them. */
export class ToolCalls {
  readonly #tools = new Map<string, { readonly definition: ToolDefinition; readonly run: ToolImplementation }>()
  readonly #pending = new Map<string, Pending>()
  /** The service refuses a response while another runs, such as one the user spoke into. */
  #running: string | undefined
  #isOwed = false
  readonly #options: ToolCallsOptions

  constructor(options: ToolCallsOptions) {
    this.#options = options
  }

  add(definition: ToolDefinition, run: ToolImplementation): void {
    if (this.#tools.has(definition.name)) throw new TypeError(`there is already a tool ${definition.name}`)
    this.#tools.set(definition.name, { definition, run })
  }

  remove(name: string): boolean {
    return this.#tools.delete(name)
  }

  definitions(): object[] {
    return [...this.#tools.values()].map(({ definition }) => ({ type: 'function', ...definition }))
  }

  hear(event: ServerEvent): void {
    if (event.type === 'response.output_item.done' && event.item.type === 'function_call')
      this.#called(event.response_id, event.item)
    if (event.type === 'response.created') this.#running = event.response.id
    if (event.type === 'response.done') this.#ended(event.response)
  }

  /** For tools the program runs itself, after hearing `function_call`. */
  answer(callId: string, output: unknown): void {
    const text = typeof output === 'string' ? output : JSON.stringify(output ?? null)
    const item = { type: 'function_call_output', call_id: callId, output: text }
    this.#options.send({ type: 'conversation.item.create', item })
  }

  #called(responseId: string, item: ServerItem): void {
    // What was broken off in the middle of its arguments must not be run.
    if (item.status !== 'completed' || item.name === undefined || item.call_id === undefined) return
    const parsed = parseArguments(item.arguments ?? '')
    const { name, call_id: callId, id: itemId } = item
    this.#options.onCall({ name, callId, itemId, arguments: parsed ?? {} })
    const tool = this.#tools.get(name)
    if (!tool) return
    const pending = this.#pending.get(responseId) ?? { open: 0, isDone: false, wasCut: false }
    pending.open++
    this.#pending.set(responseId, pending)
    const given = parsed ?? new TypeError('the arguments are not a JSON object')
    void this.#run(tool.run, given).then((output) => {
      this.answer(callId, output)
      pending.open--
      this.#askOn(responseId, pending)
    })
  }

  /** A tool that fails is told to the model, which can say so; it is no fault of the session. */
  async #run(run: ToolImplementation, given: Readonly<Record<string, unknown>> | TypeError): Promise<unknown> {
    try {
      if (given instanceof TypeError) throw given
      return await run(given)
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  #ended({ id, status }: ServerResponse): void {
    if (this.#running === id) this.#running = undefined
    const pending = this.#pending.get(id)
    if (pending) {
      pending.isDone = true
      pending.wasCut = status === 'cancelled'
      this.#askOn(id, pending)
    }
    this.#ask()
  }

  /** After a cut the user's new turn brings its own response. */
  #askOn(responseId: string, pending: Pending): void {
    if (pending.open > 0 || !pending.isDone) return
    this.#pending.delete(responseId)
    if (!pending.wasCut) this.#isOwed = true
    this.#ask()
  }

  #ask(): void {
    if (!this.#isOwed || this.#running !== undefined) return
    this.#isOwed = false
    this.#options.send({ type: 'response.create' })
  }
}

function parseArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
