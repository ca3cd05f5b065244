import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type ChatServer, createOpenAiChatModel } from '../../../src/engines/llm/openai-chat-model.ts'
import type { ReplyPiece, ReplyRequest } from '../../../src/speech/language-model.ts'
import { eventually } from '../../support/eventually.ts'

type Script = (response: ServerResponse) => void | Promise<void>
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A chat server that does what the test tells it, request after request. */
async function serve(...scripts: readonly Script[]) {
  const seen: { body: Record<string, unknown>; authorization: string | undefined; response: ServerResponse }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    seen.push({ body: JSON.parse(text), authorization: request.headers.authorization, response })
    await scripts[Math.min(seen.length, scripts.length) - 1]?.(response)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen }
}

const data = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`
const delta = (change: object, finish_reason: string | null = null) =>
  data({ choices: [{ index: 0, delta: change, finish_reason }] })
const says = (text: string) => delta({ content: text })
const calls = (index: number, name: string | undefined, args: string) =>
  delta({
    tool_calls: [{ index, ...(name && { id: `c${index}` }), function: { ...(name && { name }), arguments: args } }],
  })
const USAGE = data({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } })
const DONE = 'data: [DONE]\n\n'

const streams =
  (...events: readonly string[]): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(event)
    response.end()
  }
const fails =
  (status: number, headers: Record<string, string> = {}): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"secret"}}')
  }
const hello = streams(says('Hel'), says('lo'), delta({}, 'stop'), USAGE, DONE)

const REQUEST: ReplyRequest = {
  instructions: 'Be short.',
  turns: [{ by: 'caller', text: 'नमस्ते' }],
  tools: [{ name: 'weather', description: 'Weather of a city', parameters: { type: 'object' } }],
  toolChoice: 'auto',
}

async function ask(
  url: string,
  request: Partial<ReplyRequest> = {},
  options: Partial<ChatServer> = {},
  signal?: AbortSignal,
) {
  const model = createOpenAiChatModel({ baseUrl: url, model: 'm', firstDelayMs: 1, stallMs: 5_000, ...options })
  const pieces: ReplyPiece[] = []
  for await (const piece of model.reply({ ...REQUEST, ...request }, signal)) pieces.push(piece)
  await model.close()
  return pieces
}
const textOf = (pieces: readonly ReplyPiece[]) =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')

describe('a chat server', () => {
  it('is told the conversation, and its text comes piece by piece', async () => {
    const { url, seen } = await serve(hello)
    const turns: ReplyRequest['turns'] = [
      { by: 'system', text: 'It rains.' },
      { by: 'caller', text: 'Delhi and Pune?' },
      { by: 'assistant', text: 'One moment.' },
      { by: 'call', callId: 'a', name: 'weather', argumentsJson: '{"city":"Delhi"}' },
      { by: 'call', callId: 'b', name: 'weather', argumentsJson: '{"city":"Pune"}' },
      { by: 'call', callId: 'lost', name: 'weather', argumentsJson: '{}' },
      { by: 'result', callId: 'a', output: 'rain' },
      { by: 'result', callId: 'b', output: 'sun' },
    ]
    const pieces = await ask(url, { turns, maxTokens: 90, temperature: 0.7 }, { apiKey: 'k' })
    expect(pieces).toEqual([
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      { kind: 'end', reason: 'complete', inputTokens: 12, outputTokens: 5 },
    ])
    const call = (id: string, city: string) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: `{"city":"${city}"}` },
    })
    expect(seen[0]).toMatchObject({
      authorization: 'Bearer k',
      body: {
        model: 'm',
        stream: true,
        max_tokens: 90,
        temperature: 0.7,
        tool_choice: 'auto',
        tools: [{ type: 'function', function: { name: 'weather' } }],
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'system', content: 'It rains.' },
          { role: 'user', content: 'Delhi and Pune?' },
          { role: 'assistant', content: 'One moment.', tool_calls: [call('a', 'Delhi'), call('b', 'Pune')] },
          { role: 'tool', tool_call_id: 'a', content: 'rain' },
          { role: 'tool', tool_call_id: 'b', content: 'sun' },
        ],
      },
    })
  })

  it.each([
    ['none', 'none'],
    ['required', 'required'],
    [{ name: 'weather' }, { type: 'function', function: { name: 'weather' } }],
  ] as const)('is told the tool choice %j', async (toolChoice, expected) => {
    const { url, seen } = await serve(hello)
    await ask(url, { toolChoice })
    expect(seen[0]?.body.tool_choice).toEqual(expected)
  })

  it('makes calls, whole and numbered', async () => {
    const { url } = await serve(
      streams(
        says('Let me see.'),
        calls(0, 'weather', ''),
        calls(0, undefined, '{"city":'),
        calls(0, undefined, '"Pune"}'),
        calls(2, 'weather', ''),
      ),
      streams(delta({}, 'tool_calls')),
    )
    const whole = await serve(
      streams(
        says('See.'),
        calls(0, 'weather', '{"ci'),
        calls(0, undefined, 'ty":"Pune"}'),
        calls(2, 'weather', ''),
        delta({}, 'tool_calls'),
        DONE,
      ),
    )
    await expect(ask(url)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await ask(whole.url)).toEqual([
      { kind: 'text', text: 'See.' },
      { kind: 'call', index: 0, name: 'weather' },
      { kind: 'arguments', index: 0, text: '{"city":"Pune"}' },
      { kind: 'call', index: 1, name: 'weather' },
      { kind: 'arguments', index: 1, text: '{}' },
      { kind: 'end', reason: 'complete' },
    ])
    expect(await ask(whole.url, { toolChoice: 'none' })).toHaveLength(2)
  })

  it.each([
    ['{"city":"Pune"', '{"city":"Pune"}'],
    ['{"city":"Pune",}', '{"city":"Pune"}'],
    ['```json\n{"city":"Pu}ne"}\n```', '{"city":"Pu}ne"}'],
    ['"{\\"city\\":\\"Pune\\"}"', '{"city":"Pune"}'],
    ['null', '{}'],
  ])('mends the arguments %j', async (written, text) => {
    const { url } = await serve(streams(calls(0, 'weather', written), delta({}, 'tool_calls'), DONE))
    expect(await ask(url)).toContainEqual({ kind: 'arguments', index: 0, text })
  })

  it('is asked again when its arguments are no JSON, and given up in the end', async () => {
    const broken = streams(calls(0, 'weather', 'city = Pune'), delta({}, 'tool_calls'), DONE)
    const { url, seen } = await serve(broken, hello)
    expect(textOf(await ask(url))).toBe('Hello')
    expect(seen).toHaveLength(2)
    const stubborn = await serve(broken)
    await expect(ask(stubborn.url)).rejects.toMatchObject({ code: 'engine_crashed' })
    expect(stubborn.seen).toHaveLength(3)
    const stranger = await serve(streams(calls(0, 'launch', '{}'), delta({}, 'tool_calls'), DONE))
    await expect(ask(stranger.url)).rejects.toMatchObject({ code: 'engine_crashed' })
  })

  it('keeps its reasoning to itself', async () => {
    const { url } = await serve(
      streams(
        delta({ reasoning_content: 'hmm' }),
        says('<thi'),
        says('nk>let me'),
        says('</think>\n\nHel'),
        says('lo'),
        delta({}, 'stop'),
        DONE,
      ),
    )
    expect(textOf(await ask(url))).toBe('Hello')
  })

  it.each([
    ['length', 'length'],
    ['content_filter', 'filtered'],
  ])('says that it stopped for %s', async (finish, reason) => {
    const { url } = await serve(streams(says('Hel'), calls(0, 'weather', '{"city":"Pu'), delta({}, finish), DONE))
    const pieces = finish === 'length' ? await ask(url) : await ask(url, { toolChoice: 'none' })
    expect(pieces).toEqual([
      { kind: 'text', text: 'Hel' },
      { kind: 'end', reason },
    ])
  })

  it('is asked again after a failure that passes, as soon as it says', async () => {
    const { url, seen } = await serve(fails(429, { 'retry-after': '0' }), fails(503), hello)
    expect(textOf(await ask(url))).toBe('Hello')
    expect(seen).toHaveLength(3)
  })

  it.each([
    [429, { 'retry-after': '30' }, { code: 'engine_busy', details: { retry_after_seconds: 30 } }, 1],
    [500, {}, { code: 'unavailable' }, 3],
    [401, {}, { code: 'model_unavailable' }, 1],
    [404, {}, { code: 'model_unavailable' }, 1],
    [400, {}, { code: 'invalid_request' }, 1],
  ] as const)('that answers %i %j is given up, and its words are not repeated', async (status, headers, expected, times) => {
    const { url, seen } = await serve(fails(status, headers))
    const failure = await ask(url).catch((error: unknown) => error)
    expect(failure).toMatchObject(expected)
    expect(String(failure)).not.toContain('secret')
    expect(seen).toHaveLength(times)
  })

  it('that cuts the line in the middle is not asked again', async () => {
    const cut: Script = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(says('Hel'))
      await sleep(20)
      response.destroy()
    }
    for (const script of [cut, streams(says('Hel')), streams(says('Hel'), data({ error: { message: 'secret' } }))]) {
      const { url, seen } = await serve(script)
      await expect(ask(url)).rejects.toMatchObject({ code: 'unavailable' })
      expect(seen).toHaveLength(1)
    }
  })

  it('that falls silent, before or after its first word, is given up', async () => {
    const mute = await serve(() => undefined)
    await expect(ask(mute.url, {}, { stallMs: 40 })).rejects.toMatchObject({ code: 'engine_timeout' })
    const { url } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(says('Hel'))
    })
    await expect(ask(url, {}, { stallMs: 40 })).rejects.toMatchObject({ code: 'engine_timeout' })
  })

  it('that is not there is unavailable', async () => {
    await expect(ask('http://127.0.0.1:9/v1')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is left at once when the caller leaves', async () => {
    const { url, seen } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(says('Hel'))
    })
    const leaving = new AbortController()
    const model = createOpenAiChatModel({ baseUrl: url, model: 'm' })
    const told = (async () => {
      for await (const piece of model.reply(REQUEST, leaving.signal)) if (piece.kind === 'text') leaving.abort()
    })()
    await expect(told).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(
      async () => seen[0]?.response.destroyed,
      (gone) => gone === true,
    )
    await model.close()
  })
})
