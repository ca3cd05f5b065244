import { expect } from 'vitest'
import type { WireEvent } from '../support/realtime-client.ts'

type Item = { id: string; status: string; content?: { transcript?: string; text?: string }[]; arguments?: string }

/** The promises that every recording of a session keeps, whatever was sent. */
export function checkInvariants(events: readonly WireEvent[]): void {
  expect(events[0]?.type).toBe('session.created')
  const ids = events.map(({ event_id }) => event_id)
  expect(new Set(ids).size).toBe(ids.length)
  checkOneAtATime(events)
  checkOrderOfItems(events)
  for (const created of events.filter(({ type }) => type === 'response.created')) {
    checkResponse(events, (created.response as { id: string }).id)
  }
}

/** One running response per conversation; each begins and ends once. */
function checkOneAtATime(events: readonly WireEvent[]): void {
  let running: string | null = null
  const ended = new Set<string>()
  for (const { type, response } of events) {
    if (type !== 'response.created' && type !== 'response.done') continue
    const { id, conversation_id } = response as { id: string; conversation_id: string | null }
    if (type === 'response.done') {
      expect(ended.has(id)).toBe(false)
      ended.add(id)
    }
    if (conversation_id === null) continue
    expect(running).toBe(type === 'response.created' ? null : id)
    running = type === 'response.created' ? id : null
  }
  expect(running).toBeNull()
}

/** What is told of an item comes after the item, and it stands where it is said to stand. */
function checkOrderOfItems(events: readonly WireEvent[]): void {
  const order: string[] = []
  const announced = new Set<string>()
  const besides = new Set<string>()
  for (const event of events) {
    const { type } = event
    if (type === 'conversation.item.created' || type === 'conversation.item.added') {
      const { id } = event.item as Item
      const after = event.previous_item_id === null ? 0 : order.indexOf(String(event.previous_item_id)) + 1
      if (event.previous_item_id !== null) expect(after).toBeGreaterThan(0)
      order.splice(after, 0, id)
      announced.add(id)
    }
    if (type === 'conversation.item.deleted') order.splice(order.indexOf(String(event.item_id)), 1)
    if (type === 'response.output_item.added') besides.add((event.item as Item).id)
    if (type.startsWith('input_audio_buffer.') || typeof event.item_id !== 'string') continue
    expect([type, announced.has(event.item_id) || besides.has(event.item_id)]).toEqual([type, true])
  }
}

function checkResponse(events: readonly WireEvent[], id: string): void {
  const mine = events.filter(
    (event) => event.response_id === id || (event.response as { id?: string } | undefined)?.id === id,
  )
  const types = mine.map(({ type }) => type)
  expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.done'])
  const count = (type: string) => types.filter((each) => each === type).length
  for (const what of ['response.output_item', 'response.content_part'])
    expect(count(`${what}.added`)).toBe(count(`${what}.done`))
  const added = mine.filter(({ type }) => type === 'response.output_item.added')
  expect(added.map(({ output_index }) => output_index)).toEqual(added.map((_, at) => at))
  const done = mine.at(-1)?.response as { output: Item[]; status: string }
  expect(done.output.map((item) => item.id)).toEqual(added.map(({ item }) => (item as Item).id))
  expect(done.output.every(({ status }) => status !== 'in_progress')).toBe(true)
  for (const item of done.output) checkDeltas(mine.filter(({ item_id }) => item_id === item.id))
}

/** Deltas joined are what `done` says. */
function checkDeltas(events: readonly WireEvent[]): void {
  for (const { type, ...rest } of events.filter((event) => /(text|transcript|arguments)\.done$/.test(event.type))) {
    const deltas = events.filter((event) => event.type === type.replace(/done$/, 'delta')).map(({ delta }) => delta)
    const { text, transcript, arguments: json } = rest as Record<string, unknown>
    expect(deltas.join('')).toBe(text ?? transcript ?? json)
  }
  for (const { delta } of events.filter(({ type }) => /audio\.delta$/.test(type))) {
    expect(Buffer.from(String(delta), 'base64').length % 2).toBe(0)
  }
}
