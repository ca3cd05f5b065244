import { setTimeout as delay } from 'node:timers/promises'
import { recordingOf } from './instant-engine.ts'

/** What the test reads of answers; the interface's own tests look at all of them. */
type Answer = {
  readonly batch_upload_id: string
  readonly batch_id: string
  readonly status: string
  readonly finished_at: string | null
  readonly files: readonly {
    readonly filename: string
    readonly status: string
    readonly result?: { readonly text: string }
  }[]
}

/** A client that goes on when the server is away: it is being killed. */
export class ServiceClient {
  readonly #origin: string
  readonly #token: string

  constructor(origin: string, token: string) {
    this.#origin = origin
    this.#token = token
  }

  /** Uploads texts as recordings and submits them; gives the batch's id. Keys make both safe to repeat. */
  async submit(texts: Readonly<Record<string, string>>, key: string): Promise<string> {
    const form = () => {
      const body = new FormData()
      for (const [name, text] of Object.entries(texts))
        body.append('files', new Blob([Buffer.from(recordingOf(text))]), name)
      return body
    }
    const headers = { 'idempotency-key': key }
    const { batch_upload_id } = await this.#call('/files/upload', () => ({ method: 'POST', body: form(), headers }))
    for (;;) {
      const { status } = await this.#call(`/files/upload/${batch_upload_id}`)
      if (status !== 'accepted') break
      await delay(200)
    }
    const json = { ...headers, 'content-type': 'application/json' }
    const body = JSON.stringify({ batch_upload_id })
    return (await this.#call('/transcribe/batch', () => ({ method: 'POST', body, headers: json }))).batch_id
  }

  async hasEnded(batch: string): Promise<boolean> {
    return (await this.#call(`/transcribe/status/batch/${batch}`)).finished_at !== null
  }

  async files(batch: string): Promise<Answer['files']> {
    return (await this.#call(`/transcribe/results/batch/${batch}?limit=200`)).files
  }

  async #call(path: string, init: () => RequestInit = () => ({})): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const { headers, ...rest } = init()
      const request = { ...rest, headers: { ...headers, authorization: `Bearer ${this.#token}` } }
      const response = await fetch(this.#origin + path, request).catch(() => undefined)
      // Whatever the server says is read with the eyes of Answer; a connection that breaks in the body is tried again.
      const answer = response?.ok ? ((await response.json().catch(() => undefined)) as Answer | undefined) : undefined
      if (answer) return answer
      if (response && !response.ok && response.status < 500)
        throw new Error(`${path}: ${response.status} ${await response.text()}`)
      if (tries > 900) throw new Error(`${path}: the server does not come back`)
      await delay(200)
    }
  }
}
