import type { Voice } from '../api-models.ts'
import type { Connection } from '../connection.ts'
import type { Session, SessionConfig } from './realtime-events.ts'

export type EphemeralToken = {
  /** `ek_...`: what a browser opens its sessions with. */
  readonly value: string
  /** Seconds since 1970. Sessions begun before go on after it. */
  readonly expires_at: number
  readonly session: Session
}

export type EphemeralTokenOptions = {
  /** 10 to 7200; the service's default is 600. */
  readonly ttlSeconds?: number
  /** What sessions opened with the token begin with. */
  readonly session?: SessionConfig
  readonly signal?: AbortSignal
}

/** What a voice session needs besides its socket. */
export class RealtimeApi {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Who can speak. */
  async voices(signal?: AbortSignal): Promise<readonly Voice[]> {
    return (await this.#connection.json<{ readonly voices: readonly Voice[] }>('/v1/voices', { signal })).voices
  }

  /** A token for a browser or another place that must not have the user's own. */
  createToken({ ttlSeconds, session, signal }: EphemeralTokenOptions = {}): Promise<EphemeralToken> {
    const json = {
      ...(ttlSeconds !== undefined && { expires_after: { anchor: 'created_at', seconds: ttlSeconds } }),
      ...(session && { session: { type: 'realtime', ...session } }),
    }
    return this.#connection.json('/v1/realtime/client_secrets', { method: 'POST', json, signal })
  }
}
