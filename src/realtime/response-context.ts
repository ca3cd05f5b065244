import type { Conversation } from './conversation.ts'
import type { Emit } from './server-event.ts'
import type { SessionConfig } from './session-config.ts'

/** What the parts of one response share: where they stand, and the way out. */
export type ResponseContext = {
  readonly responseId: string
  /** As the session was when the response began; later updates are for the next one. */
  readonly config: SessionConfig
  /** Absent: an out-of-band response, which leaves nothing in the conversation. */
  readonly conversation: Conversation | undefined
  readonly emit: Emit
}
