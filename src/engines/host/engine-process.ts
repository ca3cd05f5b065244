import { type ChildProcess, fork } from 'node:child_process'
import type { ChildEntry } from '../../platform/child-entry.ts'
import { LipikError } from '../../platform/errors.ts'
import { Deferred } from './deferred.ts'
import type { FromEngine, ToEngine } from './messages.ts'

export type EngineProcessOptions = {
  readonly name: string
  readonly entry: ChildEntry
  readonly settings: unknown
  readonly loadTimeoutMs: number
  /** Beyond this the process ends itself in the middle of whatever it does. */
  readonly hardRssBytes: number
  readonly env?: Readonly<Record<string, string>>
}

export type ProcessRequest = {
  readonly body: unknown
  readonly signal: AbortSignal | undefined
  readonly isLive: boolean
}

const STDERR_TAIL_CHARS = 2_000

/** One engine process, from its start to its end. It never comes back: the host starts another. */
export class EngineProcess {
  readonly #options: EngineProcessOptions
  readonly #child: ChildProcess
  readonly #pending = new Map<number, Deferred<unknown>>()
  readonly #loading = new Deferred<void>()
  readonly #ended = new Deferred<void>()
  #nextId = 1
  #stderr = ''
  #verdict: LipikError | undefined
  #isAlive = true
  rssBytes = 0
  /** How many requests the end of the process took with it; with more than one the guilty is not known. */
  lostAtEnd = 0

  constructor(options: EngineProcessOptions) {
    this.#options = options
    const { entry, env } = options
    this.#child = fork(entry.path, [], {
      execArgv: [...entry.execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, ...env },
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL_CHARS)
    })
    this.#child.on('message', (message: FromEngine) => this.#receive(message))
    this.#child.once('exit', (code, signal) => this.#end(signal ?? `exit code ${code}`))
    this.#child.on('error', (error) => this.#end(error.message))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  async load(): Promise<void> {
    const { loadTimeoutMs, name, settings, hardRssBytes } = this.#options
    const timer = setTimeout(
      () => this.kill(new LipikError('engine_timeout', `${name} did not load within ${loadTimeoutMs} ms`)),
      loadTimeoutMs,
    )
    this.#send({ type: 'load', settings, maxRssBytes: hardRssBytes })
    try {
      await this.#loading.promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** An abort asks the engine to stop; the promise settles when it has, so that the caller knows the engine is free. */
  request({ body, signal, isLive }: ProcessRequest): Promise<unknown> {
    const id = this.#nextId++
    const cancel = () => this.#send({ type: 'cancel', id })
    signal?.addEventListener('abort', cancel, { once: true })
    const answer = this.#expect(id)
    this.#send({ type: 'request', id, body, isLive })
    return answer.finally(() => signal?.removeEventListener('abort', cancel))
  }

  async ping(): Promise<void> {
    const id = this.#nextId++
    const answer = this.#expect(id)
    this.#send({ type: 'ping', id })
    await answer
  }

  /** What is in flight fails with `verdict`. */
  kill(verdict: LipikError): void {
    this.#verdict ??= verdict
    this.#child.kill('SIGKILL')
  }

  /** Lets the process end by itself when it is at rest, by force when it is not. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    const force = setTimeout(() => this.#child.kill('SIGKILL'), 1_000)
    await this.#ended.promise
    clearTimeout(force)
  }

  #expect(id: number): Promise<unknown> {
    const answer = new Deferred<unknown>()
    if (this.#isAlive) this.#pending.set(id, answer)
    else answer.reject(this.#verdict ?? new LipikError('engine_crashed', `${this.#options.name} is gone`))
    return answer.promise
  }

  #send(message: ToEngine): void {
    // A failed send means the process is ending; its exit settles everything that waits.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #receive(message: FromEngine): void {
    const { name } = this.#options
    if (message.type === 'loaded') this.#loading.resolve()
    else if (message.type === 'load_failed') {
      this.kill(new LipikError('model_unavailable', `${name} cannot load its model: ${message.message}`))
    } else this.#settle(message)
  }

  #settle(message: Extract<FromEngine, { id: number }>): void {
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.type === 'answer') {
      this.rssBytes = message.rssBytes
      pending?.resolve(message.body)
    } else if (message.type === 'refused') {
      pending?.reject(new LipikError(message.code, `${this.#options.name}: ${message.message}`))
    } else pending?.resolve(undefined)
  }

  #end(how: string): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    const cause = new Error(this.#stderr.trim() || how)
    this.#verdict ??= new LipikError('engine_crashed', `${this.#options.name} died (${how})`, { cause })
    this.lostAtEnd = this.#pending.size
    this.#loading.reject(this.#verdict)
    for (const { reject } of this.#pending.values()) reject(this.#verdict)
    this.#pending.clear()
    this.#ended.resolve()
  }
}
