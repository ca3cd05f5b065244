import { hideReasoning } from '../speech/hide-reasoning.ts'
import { newMessage, type TextPart } from './conversation-item.ts'
import { OutputItem } from './output-item.ts'
import type { ResponseContext } from './response-context.ts'

/** A message while it is written or spoken. */
export interface MessageOutput {
  readonly hasBegun: boolean
  write(text: string): void
  /** Resolves when all of it has been sent and its end is told. */
  finish(): Promise<void>
  /** Ends it now, with what was sent so far. */
  breakOff(): void
}

/** A message that is only written. It begins with its first visible letter: what a model thinks aloud makes no item. */
export class WrittenMessage implements MessageOutput {
  readonly #context: ResponseContext
  readonly #nextIndex: () => number
  readonly #visible = hideReasoning()
  readonly #part: TextPart = { kind: 'text', text: '' }
  #output: OutputItem | undefined

  constructor(context: ResponseContext, nextIndex: () => number) {
    this.#context = context
    this.#nextIndex = nextIndex
  }

  get hasBegun(): boolean {
    return this.#output !== undefined
  }

  write(text: string): void {
    this.#send(this.#visible.push(text))
  }

  async finish(): Promise<void> {
    this.#send(this.#visible.end())
    this.#end('completed')
  }

  breakOff(): void {
    this.#end('incomplete')
  }

  #send(delta: string): void {
    if (delta === '') return
    this.#output ??= this.#begin()
    this.#part.text += delta
    this.#context.emit({ kind: 'text.delta', ...this.#output.place, delta })
  }

  #begin(): OutputItem {
    const item = newMessage('assistant', [], { status: 'in_progress' })
    const output = new OutputItem(this.#context, this.#nextIndex(), item)
    item.content.push(this.#part)
    this.#context.emit({ kind: 'part.added', ...output.place, part: { kind: 'text', text: '' } })
    return output
  }

  #end(status: 'completed' | 'incomplete'): void {
    if (!this.#output) return
    const { place } = this.#output
    const { text } = this.#part
    this.#context.emit({ kind: 'text.done', ...place, text })
    this.#context.emit({ kind: 'part.done', ...place, part: { kind: 'text', text } })
    this.#output.done(status)
  }
}
