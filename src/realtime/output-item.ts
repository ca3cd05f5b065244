import type { Item, ItemStatus } from './conversation-item.ts'
import type { ResponseContext } from './response-context.ts'
import type { Place } from './server-event.ts'

/** One item of a response, from its `added` to its `done`. It is in the conversation before anybody hears of it. */
export class OutputItem<T extends Item = Item> {
  readonly item: T
  readonly place: Place
  readonly #context: ResponseContext

  constructor(context: ResponseContext, outputIndex: number, item: T) {
    this.item = item
    this.#context = context
    this.place = { responseId: context.responseId, itemId: item.id, outputIndex }
    const { emit, conversation, responseId } = context
    const previousItemId = conversation?.insert(item) ?? null
    emit({ kind: 'output_item.added', responseId, outputIndex, item })
    if (conversation) emit({ kind: 'item.added', previousItemId, item, isDone: false })
  }

  done(status: ItemStatus): void {
    const { emit, conversation, responseId } = this.#context
    const { item } = this
    item.status = status
    if (conversation?.get(item.id) === item) {
      emit({ kind: 'item.done', previousItemId: conversation.previousOf(item.id), item })
    }
    emit({ kind: 'output_item.done', responseId, outputIndex: this.place.outputIndex, item })
  }
}
