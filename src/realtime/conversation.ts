import type { ConversationTurn } from '../speech/language-model.ts'
import type { AudioPart, Item, MessageItem, Part } from './conversation-item.ts'
import { ProtocolError } from './protocol-error.ts'
import { newProtocolId } from './protocol-id.ts'

/** What a client may put into one conversation: a history of hours, but no storage. */
const MOST_ITEMS = 2_000
const MOST_LETTERS = 4_000_000

/** Items in their order. Everything about an item that outlives an event is here. */
export class Conversation {
  readonly id = newProtocolId('conv')
  readonly #items: Item[] = []
  readonly #byId = new Map<string, Item>()

  get items(): readonly Item[] {
    return this.#items
  }

  get(id: string): Item | undefined {
    return this.#byId.get(id)
  }

  /** What a call's result must answer. */
  hasCall(callId: string): boolean {
    return this.#items.some((item) => item.kind === 'call' && item.callId === callId)
  }

  /** Where an item stands, as events tell it: the id before it, or null for the first. */
  previousOf(id: string): string | null {
    const at = this.#items.findIndex((item) => item.id === id)
    return this.#items[at - 1]?.id ?? null
  }

  get lastId(): string | null {
    return this.#items.at(-1)?.id ?? null
  }

  /** What a client brings must fit in; what is said here is bounded by the session's length. */
  checkRoom(item: Item): void {
    const letters = this.#items.reduce((sum, each) => sum + lettersOf(each), lettersOf(item))
    if (this.#items.length < MOST_ITEMS && letters <= MOST_LETTERS) return
    const message = `A conversation holds at most ${MOST_ITEMS} items and ${MOST_LETTERS} letters: delete some.`
    throw new ProtocolError('conversation_full', message, { param: 'item' })
  }

  /** `after` absent, null or empty: at the end; `root`: at the front. Gives the id it now stands behind. */
  insert(item: Item, after?: string | null): string | null {
    if (this.#byId.has(item.id)) {
      throw new ProtocolError('item_already_exists', `There is already an item "${item.id}".`, { param: 'item.id' })
    }
    const at = this.#placeAfter(after)
    this.#items.splice(at, 0, item)
    this.#byId.set(item.id, item)
    return this.#items[at - 1]?.id ?? null
  }

  #placeAfter(after: string | null | undefined): number {
    if (!after) return this.#items.length
    if (after === 'root') return 0
    const at = this.#items.findIndex((item) => item.id === after)
    if (at >= 0) return at + 1
    throw new ProtocolError('invalid_value', `There is no item "${after}" to insert after.`, {
      param: 'previous_item_id',
    })
  }

  remove(id: string): boolean {
    const at = this.#items.findIndex((item) => item.id === id)
    if (at < 0) return false
    this.#items.splice(at, 1)
    return this.#byId.delete(id)
  }

  /** Forgets the oldest sound until no more than `maxBytes` is left; what was said stays. */
  forgetSound(maxBytes: number): void {
    let total = 0
    for (let at = this.#items.length - 1; at >= 0; at--) {
      const item = this.#items[at]
      if (item?.kind !== 'message') continue
      for (const part of item.content.toReversed()) {
        if (part.kind !== 'audio' || part.audio === null) continue
        total += part.audio.reduce((sum, { length }) => sum + length, 0)
        if (total > maxBytes) part.audio = null
      }
    }
  }
}

/** What a language model reads; sound counts as what was heard in it. */
export function toTurns(items: readonly Item[]): ConversationTurn[] {
  return items.flatMap((item): ConversationTurn[] => {
    if (item.kind === 'call') {
      const { callId, name, argumentsJson } = item
      return item.status === 'completed' ? [{ by: 'call', callId, name, argumentsJson }] : []
    }
    if (item.kind === 'result') return [{ by: 'result', callId: item.callId, output: item.output }]
    const text = textOf(item)
    return text === '' ? [] : [{ by: item.role === 'user' ? 'caller' : item.role, text }]
  })
}

function lettersOf(item: Item): number {
  if (item.kind === 'call') return item.name.length + item.argumentsJson.length
  if (item.kind === 'result') return item.output.length
  return item.content.reduce((sum, part) => sum + wordsOf(part).length, 0)
}

const textOf = ({ content }: MessageItem): string =>
  content
    .map(wordsOf)
    .filter((text) => text !== '')
    .join('\n')

const wordsOf = (part: Part): string => (part.kind === 'text' ? part.text : (part.transcript ?? ''))

/** The listener heard only so much: the rest was never said. Clients' clocks run ahead by a little, which is forgiven. */
const FORGIVEN_OVERSHOOT_MS = 250

export function truncateAudio(part: AudioPart, endMs: number, bytesUpTo: (ms: number) => number): number {
  if (endMs > part.durationMs + FORGIVEN_OVERSHOOT_MS) {
    const message = `Audio content of ${Math.floor(part.durationMs)}ms is already shorter than ${endMs}ms`
    throw new ProtocolError('invalid_value', message, { param: 'audio_end_ms' })
  }
  const heardMs = Math.min(endMs, part.durationMs)
  part.transcript = heardText(part, heardMs)
  if (part.audio) part.audio = [Buffer.concat(part.audio).subarray(0, bytesUpTo(heardMs))]
  part.durationMs = heardMs
  part.isCut = true
  return heardMs
}

/** Sentences that were heard whole, and of the one in which hearing stopped the same share of words as of sound. */
function heardText({ transcript, marks }: AudioPart, heardMs: number): string {
  let text = ''
  let startMs = 0
  for (const mark of marks) {
    if (mark.endMs > heardMs) return text + shareOf(mark.text, (heardMs - startMs) / (mark.endMs - startMs))
    text += mark.text
    startMs = mark.endMs
  }
  return marks.length === 0 ? (transcript ?? '') : text
}

function shareOf(text: string, share: number): string {
  const words = text.match(/\s*\S+/gu) ?? []
  return words.slice(0, Math.floor(words.length * share)).join('')
}
