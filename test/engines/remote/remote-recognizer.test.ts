import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createRemoteRecognizer } from '../../../src/engines/remote/remote-recognizer.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'

type Reply = (request: IncomingMessage, response: ServerResponse) => void
const servers: Server[] = []

/** A transcription server that says what the test tells it, reply after reply. */
async function serve(...replies: readonly Reply[]) {
  const seen: { readonly form: FormData; readonly authorization: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const body: Buffer[] = []
    for await (const part of request) body.push(part)
    const { authorization, 'content-type': type = '' } = request.headers
    const form = await new Response(Buffer.concat(body), { headers: { 'content-type': type } }).formData()
    seen.push({ form, authorization })
    replies[Math.min(seen.length, replies.length) - 1]?.(request, response)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen }
}

const json =
  (status: number, body: unknown): Reply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const silence: Reply = () => undefined
const spoken = json(200, {
  text: 'नमस्ते जी',
  segments: [{ start: 0.5, end: 1.5, text: ' नमस्ते जी', avg_logprob: -0.1 }],
})

async function ask(url: string, options: { apiKey?: string; timeoutMs?: number } = {}) {
  const recognizer = createRemoteRecognizer({ url, model: 'whisper-large', firstDelayMs: 1, ...options })
  const [outcome] = await recognizer.recognize([{ samples: await fixtureClip('hi-bank'), language: 'hi' }])
  await recognizer.close()
  return outcome
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe('a remote recogniser', () => {
  it('sends a wav with model, language and key, and reads segments', async () => {
    const { url, seen } = await serve(spoken)
    expect(await ask(url, { apiKey: 'k' })).toMatchObject({
      ok: true,
      value: { segments: [{ startMs: 500, endMs: 1500, text: 'नमस्ते जी', language: 'hi' }] },
    })
    const { form, authorization } = seen[0] ?? {}
    expect(authorization).toBe('Bearer k')
    expect([form?.get('model'), form?.get('language'), form?.get('response_format')]).toEqual([
      'whisper-large',
      'hi',
      'verbose_json',
    ])
    const file = form?.get('file')
    expect(file instanceof File && (await file.slice(0, 4).text())).toBe('RIFF')
  })

  it('takes a server that gives only text', async () => {
    const { url } = await serve(json(200, { text: 'hello there' }))
    expect(await ask(url)).toMatchObject({ ok: true, value: { segments: [{ startMs: 0, text: 'hello there' }] } })
  })

  it('asks again after 503, 429 and a broken connection', async () => {
    const hangUp: Reply = (request) => request.socket.destroy()
    for (const trouble of [json(503, {}), json(429, {}), hangUp]) {
      const { url, seen } = await serve(trouble, spoken)
      expect(await ask(url)).toMatchObject({ ok: true })
      expect(seen).toHaveLength(2)
    }
  })

  it('does not ask again when the request or the key is wrong', async () => {
    const { url, seen } = await serve(json(401, {}))
    expect(await ask(url)).toMatchObject({ ok: false, error: { code: 'invalid_request', retryable: false } })
    expect(seen).toHaveLength(1)
  })

  it('gives up on a server that stays silent, as transient', async () => {
    const { url, seen } = await serve(silence)
    expect(await ask(url, { timeoutMs: 100 })).toMatchObject({ ok: false, error: { code: 'engine_timeout' } })
    expect(seen).toHaveLength(3)
  })

  it('does not take nonsense for a transcript', async () => {
    const { url } = await serve(json(200, { result: 'ok' }))
    expect(await ask(url)).toMatchObject({ ok: false, error: { code: 'engine_crashed' } })
  })

  it('stops at once when cancelled', async () => {
    const { url } = await serve(silence)
    const recognizer = createRemoteRecognizer({ url, model: 'm' })
    const abort = new AbortController()
    const running = recognizer.recognize([{ samples: new Float32Array(1_600), language: 'en' }], abort.signal)
    abort.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
  })
})
