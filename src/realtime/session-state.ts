import type { Conversation } from './conversation.ts'
import type { Manner } from './render-event.ts'
import type { Responses } from './responses.ts'
import type { Emit, SessionView } from './server-event.ts'
import type { SessionConfig } from './session-config.ts'
import type { Transcripts } from './transcripts.ts'
import type { Turns } from './turns.ts'
import type { Vocabulary } from './vocabulary.ts'

/** All that one session is. Only its own handlers change it, one event after the other. */
export type SessionState = {
  config: SessionConfig
  manner: Manner
  /** The assistant has been heard in this session. */
  hasSpoken: boolean
  readonly vocabulary: Vocabulary
  readonly maxKeptBytes: number
  readonly conversation: Conversation
  readonly turns: Turns
  readonly transcripts: Transcripts
  readonly responses: Responses
  readonly view: () => SessionView
  readonly emit: Emit
}
