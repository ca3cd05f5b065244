import { LipikError } from '../platform/errors.ts'
import type { CallItem } from './conversation-item.ts'
import { OutputItem } from './output-item.ts'
import { newProtocolId } from './protocol-id.ts'
import type { ResponseContext } from './response-context.ts'

/** A function call while its arguments come in. */
export class CallOutput {
  readonly #context: ResponseContext
  readonly #output: OutputItem<CallItem>
  #arguments = ''

  constructor(context: ResponseContext, outputIndex: number, name: string) {
    this.#context = context
    this.#output = new OutputItem<CallItem>(context, outputIndex, {
      kind: 'call',
      id: newProtocolId('item'),
      status: 'in_progress',
      name,
      callId: newProtocolId('call'),
      argumentsJson: '',
    })
  }

  write(delta: string): void {
    if (delta === '') return
    const { item, place } = this.#output
    // The item shows its arguments when they are whole; until then they live in the deltas.
    this.#arguments += delta
    this.#context.emit({ kind: 'arguments.delta', ...place, callId: item.callId, delta })
  }

  /** At least one delta: a stock client builds the arguments from deltas alone. */
  finish(): void {
    if (this.#arguments.trim() === '') this.write('{}')
    if (!isJsonObject(this.#arguments)) {
      throw new LipikError('engine_crashed', 'the language model called a function with arguments that are not JSON')
    }
    this.#end('completed')
  }

  breakOff(): void {
    this.#end('incomplete')
  }

  #end(status: 'completed' | 'incomplete'): void {
    const { item, place } = this.#output
    item.argumentsJson = this.#arguments
    const { callId, name, argumentsJson } = item
    this.#context.emit({ kind: 'arguments.done', ...place, callId, name, argumentsJson })
    this.#output.done(status)
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
