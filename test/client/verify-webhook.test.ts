import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LipikClient } from '../../client/src/lipik-client.ts'
import { verifyWebhook, type WebhookCall } from '../../client/src/verify-webhook.ts'
import { eventually } from '../support/eventually.ts'
import { recordingOf } from '../support/instant-engine.ts'
import { type RunningService, runService } from '../support/running-service.ts'

let service: RunningService
let call: WebhookCall
const calls: { readonly signature: string; readonly body: string }[] = []
const listener = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    calls.push({ signature: String(request.headers['lipik-signature']), body: Buffer.concat(pieces).toString() })
    response.end()
  })
})

beforeAll(async () => {
  service = await runService({ URL_SOURCES_ALLOW_PRIVATE: 'true' })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  // A server listening on an address and port has one.
  const { port } = listener.address() as AddressInfo
  const lipik = new LipikClient({ url: service.origin, token: await service.tokenOf('asha') })
  const secret = 'a secret of sixteen letters'
  const options = { webhook_url: `http://127.0.0.1:${port}/ended`, webhook_secret: secret }
  const data = new Blob([Buffer.from(recordingOf('hello'))])
  for await (const _ of lipik.transcribe({ name: 'a.wav', data }, options));
  const [first] = await eventually(
    async () => calls,
    (all) => all.length > 0,
  )
  call = { secret, signature: first?.signature ?? '', body: first?.body ?? '' }
})
afterAll(async () => {
  listener.closeAllConnections()
  listener.close()
  await service.close()
})

describe('verifyWebhook', () => {
  it('gives the event of a call that the service made', async () => {
    expect(await verifyWebhook(call)).toMatchObject({ type: 'batch.ended', status: 'completed', files_completed: 1 })
  })

  it.each<[string, Partial<WebhookCall> | ((genuine: WebhookCall) => Partial<WebhookCall>), RegExp]>([
    ['another secret', { secret: 'b secret of sixteen letters' }, /does not match/],
    ['a changed body', ({ body }) => ({ body: body.replace('completed', 'failed') }), /does not match/],
    [
      'a changed time',
      ({ signature }) => ({ signature: signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) + 9}`) }),
      /does not match/,
    ],
    ['a call of an hour ago', { nowSeconds: Date.now() / 1000 + 3600 }, /too old/],
    ['no signature', { signature: '' }, /malformed/],
  ])('refuses %s', async (_name, change, said) => {
    const changed = { ...call, ...(typeof change === 'function' ? change(call) : change) }
    await expect(verifyWebhook(changed)).rejects.toThrow(said)
  })
})
