import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { append, gate, RealtimeHarness, sound, userText } from '../support/realtime-door.ts'
import { says } from '../support/scripted-model.ts'

let harness: RealtimeHarness
beforeAll(async () => {
  harness = await new RealtimeHarness().open()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

const MANUAL = {
  type: 'session.update',
  session: { turn_detection: null, input_audio_transcription: { model: 'whisper-1' } },
}
const COMMIT = { type: 'input_audio_buffer.commit' }

describe('a session', () => {
  it('takes no more text than a long conversation has, until some is deleted', async () => {
    const client = await harness.connect()
    const long = userText('x'.repeat(1_500_000))
    const { item } = await client.ask(long, 'conversation.item.created')
    await client.ask(long, 'conversation.item.created')
    expect(await client.fault(long)).toMatchObject({ code: 'conversation_full', param: 'item' })
    client.send({ type: 'conversation.item.delete', item_id: (item as { id: string }).id })
    await client.ask(long, 'conversation.item.created')
  })

  it('takes no more items than a long conversation has', async () => {
    const client = await harness.connect()
    for (let count = 0; count < 2_000; count++) client.send(userText('x'))
    client.send(userText('one more'))
    await eventually(
      async () => client.types(),
      (types) => types.includes('error'),
      60_000,
    )
    expect(client.events.at(-1)?.error).toMatchObject({ code: 'conversation_full' })
    expect(client.types().filter((type) => type === 'conversation.item.created')).toHaveLength(2_000)
  }, 70_000)

  it('lets only so many turns wait to be heard, and hears those', async () => {
    const pause = gate()
    harness.transcriber.gate = pause.promise
    const client = await harness.connect()
    await client.ask(MANUAL, 'session.updated')
    for (let count = 0; count < 17; count++) client.send(append(200), COMMIT)
    const { error } = await client.next('conversation.item.input_audio_transcription.failed')
    expect(error).toMatchObject({ code: 'engine_busy' })
    pause.open()
    const heard = () => client.types().filter((type) => type.endsWith('transcription.completed')).length
    await eventually(
      async () => heard(),
      (count) => count === 16,
    )
  })

  it('ends a reply that would never end', async () => {
    harness.model.script = () => says('x'.repeat(40_000), 'y'.repeat(40_000), 'z')
    const client = await harness.connect()
    client.send({ type: 'response.create', response: { modalities: ['text'] } })
    const { response } = await client.next('response.done')
    expect(response).toMatchObject({ status: 'incomplete', status_details: { reason: 'max_output_tokens' } })
    const texts = client.events.flatMap(({ type, delta }) => (type === 'response.text.delta' ? [delta] : []))
    expect(texts.join('')).toHaveLength(80_000)
  })

  it('puts small appends together as they came', async () => {
    const client = await harness.connect()
    await client.ask(MANUAL, 'session.updated')
    const bytes = Buffer.from(sound(600), 'base64')
    for (let at = 0; at < bytes.length; at += 997) {
      client.send({ type: 'input_audio_buffer.append', audio: bytes.subarray(at, at + 997).toString('base64') })
    }
    const { item_id } = await client.ask(COMMIT, 'input_audio_buffer.committed')
    const { item } = await client.ask({ type: 'conversation.item.retrieve', item_id }, 'conversation.item.retrieved')
    expect(item).toMatchObject({ content: [{ audio: bytes.toString('base64') }] })
  })

  it('is not found at an address that is none', async () => {
    const socket = connect(harness.port, '127.0.0.1')
    const upgrade = ['GET // HTTP/1.1', 'Host: here', 'Connection: Upgrade', 'Upgrade: websocket']
    socket.write(`${upgrade.join('\r\n')}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /)
    socket.destroy()
  })
})
