import type { BatchProgress } from './api-models.ts'

/** What arrives when a batch has ended. */
export type WebhookEvent = {
  readonly type: 'batch.ended'
  /** The same for every try of one end of a batch. */
  readonly delivery_id: string
  readonly batch_id: string
  readonly status: BatchProgress['status']
  readonly total_files: number
  readonly files_completed: number
  readonly files_failed: number
  readonly finished_at: string
}

export type WebhookCall = {
  /** `webhook_secret` of the submission. */
  readonly secret: string
  /** The header `lipik-signature`. */
  readonly signature: string
  /** The body exactly as received: parsed and written again it would not match. */
  readonly body: string
  readonly nowSeconds?: number
}

export class WebhookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WebhookError'
  }
}

/** A recorded call sent again later is refused: its time is signed too. */
const MOST_AGE_SECONDS = 300

/** The event, once its signature is proved; throws `WebhookError` otherwise. */
export async function verifyWebhook(call: WebhookCall): Promise<WebhookEvent> {
  const { secret, signature, body, nowSeconds = Date.now() / 1000 } = call
  const [, time, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (time === undefined || given === undefined) throw new WebhookError('the signature is malformed')
  if (Math.abs(nowSeconds - Number(time)) > MOST_AGE_SECONDS) throw new WebhookError('the call is too old')
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify'])
  // subtle.verify compares in constant time.
  const isGenuine = await crypto.subtle.verify('HMAC', key, fromHex(given), encoder.encode(`${time}.${body}`))
  if (!isGenuine) throw new WebhookError('the signature does not match')
  // Signed by the service, so in its form.
  return JSON.parse(body) as WebhookEvent
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
