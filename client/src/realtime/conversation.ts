import { fromBase64, msOf } from './pcm.ts'
import type { ContentPart, ServerEvent, ServerItem } from './realtime-events.ts'

export type ConversationItem = {
  readonly id: string
  readonly type: 'message' | 'function_call' | 'function_call_output' | string
  readonly role: 'user' | 'assistant' | 'system' | undefined
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  /** What was written or said, as far as it is known. */
  readonly text: string
  /** How much sound of it has arrived. */
  readonly audioMs: number
  /** Of tool calls and their outputs. */
  readonly name: string | undefined
  readonly callId: string | undefined
  readonly arguments: string
  readonly output: string | undefined
}

export type ItemDelta = {
  readonly text?: string
  readonly arguments?: string
  readonly audio?: Int16Array<ArrayBuffer>
  /** Which part of the item the sound belongs to. */
  readonly contentIndex?: number
}
export type Change =
  | { readonly kind: 'appended' | 'completed'; readonly item: ConversationItem }
  | { readonly kind: 'updated'; readonly item: ConversationItem; readonly delta: ItemDelta }
  | { readonly kind: 'deleted'; readonly item: ConversationItem }

/** The conversation as the service's events tell it. */
export class Conversation {
  readonly #items = new Map<string, ConversationItem>()
  #order: string[] = []
  /** A transcript may come before the item it belongs to. */
  readonly #early = new Map<string, string>()

  get items(): readonly ConversationItem[] {
    return this.#order.flatMap((id) => this.#items.get(id) ?? [])
  }

  item(id: string): ConversationItem | undefined {
    return this.#items.get(id)
  }

  apply(event: ServerEvent): Change[] {
    switch (event.type) {
      case 'conversation.item.added':
        return this.#add(event.item, event.previous_item_id)
      case 'response.output_item.added':
        return this.#add(event.item, undefined)
      case 'conversation.item.done':
      case 'response.output_item.done':
        return this.#finish(event.item)
      case 'conversation.item.deleted':
        return this.#remove(event.item_id)
      case 'conversation.item.input_audio_transcription.delta':
      case 'response.output_text.delta':
      case 'response.output_audio_transcript.delta':
        return this.#grow(event.item_id, { text: event.delta })
      case 'conversation.item.input_audio_transcription.completed':
        return this.#settle(event.item_id, event.transcript)
      case 'response.output_audio.delta':
        return this.#grow(event.item_id, { audio: fromBase64(event.delta), contentIndex: event.content_index })
      case 'response.function_call_arguments.delta':
        return this.#grow(event.item_id, { arguments: event.delta })
      default:
        return []
    }
  }

  #add(sent: ServerItem, previous: string | null | undefined): Change[] {
    if (this.#items.has(sent.id)) return []
    const item = { ...fromServer(sent), text: textOf(sent.content) || (this.#early.get(sent.id) ?? '') }
    this.#early.delete(sent.id)
    this.#items.set(sent.id, item)
    const at = previous === null ? 0 : previous === undefined ? -1 : this.#order.indexOf(previous) + 1
    this.#order = at > 0 || previous === null ? this.#order.toSpliced(at, 0, sent.id) : [...this.#order, sent.id]
    return [{ kind: 'appended', item }]
  }

  #finish(sent: ServerItem): Change[] {
    const appended = this.#add(sent, undefined)
    const item = this.#items.get(sent.id)
    // Said by the conversation and by the response: one end is enough.
    const hasEnded = item && appended.length === 0 && item.status !== 'in_progress'
    if (!item || hasEnded) return appended
    const { status, arguments: whole } = fromServer(sent)
    const text = textOf(sent.content) || item.text
    const ended = this.#put({ ...item, text, status, arguments: whole || item.arguments })
    return [...appended, { kind: 'completed', item: ended }]
  }

  #grow(id: string, delta: ItemDelta): Change[] {
    const item = this.#items.get(id)
    if (!item) {
      if (delta.text !== undefined) this.#early.set(id, (this.#early.get(id) ?? '') + delta.text)
      return []
    }
    const grown = this.#put({
      ...item,
      text: item.text + (delta.text ?? ''),
      arguments: item.arguments + (delta.arguments ?? ''),
      audioMs: item.audioMs + msOf(delta.audio?.length ?? 0),
    })
    return [{ kind: 'updated', item: grown, delta }]
  }

  /** The whole transcript replaces what its pieces gave. */
  #settle(id: string, text: string): Change[] {
    const item = this.#items.get(id)
    if (!item) {
      this.#early.set(id, text)
      return []
    }
    return [{ kind: 'updated', item: this.#put({ ...item, text }), delta: {} }]
  }

  #remove(id: string): Change[] {
    const item = this.#items.get(id)
    this.#items.delete(id)
    this.#order = this.#order.filter((each) => each !== id)
    return item ? [{ kind: 'deleted', item }] : []
  }

  #put(item: ConversationItem): ConversationItem {
    this.#items.set(item.id, item)
    return item
  }
}

const fromServer = (item: ServerItem): ConversationItem => ({
  id: item.id,
  type: item.type,
  role: item.role,
  status: item.status ?? 'completed',
  text: textOf(item.content),
  audioMs: 0,
  name: item.name,
  callId: item.call_id,
  arguments: item.arguments ?? '',
  output: item.output,
})

const textOf = (content: readonly ContentPart[] = []): string =>
  content.map(({ text, transcript }) => text ?? transcript ?? '').join('')
