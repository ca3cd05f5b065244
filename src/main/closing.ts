import type { Logger } from '../platform/log.ts'

/** What was opened, in order; closing goes the other way round and does not stop at one that fails. */
export class Closing {
  readonly #log: Logger
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> }[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  add(name: string, close: () => Promise<void>): void {
    this.#parts.push({ name, close })
  }

  async close(): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      const { name, close } = part
      await close().catch((error: unknown) => this.#log.error({ error, part: name }, 'could not close'))
    }
  }
}
