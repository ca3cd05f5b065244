import { setTimeout as delay } from 'node:timers/promises'
import { type InstantNode, type NodeRole, type Ready, runInstantNode } from '../../test/support/run-instant-node.ts'

const AGAIN_MS = 500

/** One process that is started again whenever it ends, as a container or a service manager would. */
export class Supervised {
  readonly #role: NodeRole
  readonly #env: Readonly<Record<string, string>>
  readonly #running: Promise<void>
  #node: InstantNode
  #isStopping = false

  constructor(role: NodeRole, env: Readonly<Record<string, string>>) {
    this.#role = role
    this.#env = env
    this.#node = runInstantNode(role, env)
    this.#running = this.#keepRunning()
  }

  get ready(): Promise<Ready> {
    return this.#node.ready
  }

  kill(): void {
    this.#node.child.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#node.child.kill('SIGTERM')
    await this.#running
  }

  async #keepRunning(): Promise<void> {
    for (;;) {
      await this.#node.ended
      if (this.#isStopping) return
      await delay(AGAIN_MS)
      this.#node = runInstantNode(this.#role, this.#env)
    }
  }
}
