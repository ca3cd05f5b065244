import type { Wire } from './render-objects.ts'

/** A session's way out. Frames leave in the order they were sent. */
export interface Outbox {
  send(frame: Wire): void
  /** Undefined: the other side keeps up. Otherwise resolves when it has caught up; the connection closes if it never does. */
  keepsUp(): Promise<void> | undefined
  /** The session has dealt with a frame: its sender may be let on. */
  onWorked(): void
  close(code: number, reason: string): void
}
