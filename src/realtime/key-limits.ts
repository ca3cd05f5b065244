import { LipikError } from '../platform/errors.ts'
import { Allowance } from './allowance.ts'

export type KeyLimitSettings = {
  readonly maxSessions: number
  readonly sessionsPerKey: number
  readonly connectionsPerMinute: number
  readonly responsesPerMinute: number
}

type KeyUse = { sessions: number; readonly connections: Allowance; readonly responses: Allowance }

const MINUTE_MS = 60_000

/** How much each key uses of this server. Another server counts for itself. */
export class KeyLimits {
  readonly #settings: KeyLimitSettings
  readonly #now: () => number
  readonly #uses = new Map<string, KeyUse>()
  #sessions = 0

  constructor(settings: KeyLimitSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /** Takes a place for a session, or says why there is none. */
  enter(key: string): { readonly responses: Allowance; readonly leave: () => void } {
    const { maxSessions, sessionsPerKey } = this.#settings
    if (this.#sessions >= maxSessions)
      throw new LipikError('unavailable', 'this server has no room for another session')
    const use = this.#useOf(key)
    if (use.sessions >= sessionsPerKey) {
      throw new LipikError('quota_exceeded', `this key has ${sessionsPerKey} sessions open, which is its limit`)
    }
    if (!use.connections.take()) {
      const details = { retry_after_seconds: use.connections.resetSeconds }
      throw new LipikError('quota_exceeded', 'this key has connected too often in the last minute', { details })
    }
    use.sessions++
    this.#sessions++
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      use.sessions--
      this.#sessions--
      this.#forgetIdle()
    }
    return { responses: use.responses, leave }
  }

  #useOf(key: string): KeyUse {
    const known = this.#uses.get(key)
    if (known) return known
    const { connectionsPerMinute, responsesPerMinute } = this.#settings
    const use = {
      sessions: 0,
      connections: new Allowance(connectionsPerMinute, MINUTE_MS, this.#now),
      responses: new Allowance(responsesPerMinute, MINUTE_MS, this.#now),
    }
    this.#uses.set(key, use)
    return use
  }

  #forgetIdle(): void {
    for (const [key, { sessions, connections, responses }] of this.#uses) {
      if (sessions === 0 && connections.isUnused && responses.isUnused) this.#uses.delete(key)
    }
  }
}
