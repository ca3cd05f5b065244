import { applySession, type Dialect } from './apply-session.ts'
import type { Handshake } from './handshake.ts'
import { ProtocolError } from './protocol-error.ts'
import type { Manner } from './render-event.ts'
import { parseWith } from './schema/parse-client-event.ts'
import { sessionSchema } from './schema/session-schema.ts'
import { defaultSession, type SessionConfig } from './session-config.ts'
import { checkModel, type Vocabulary } from './vocabulary.ts'

const NO_TRANSCRIPTION =
  'Transcription sessions are not served: leave out intent, set input_audio_transcription, and create_response of turn_detection to false.'

/** What a session begins with: the service's defaults, then what its token was made for. The client may still change it. */
export function startConfig(
  vocabulary: Vocabulary,
  { model, isTranscription, isBeta }: Pick<Handshake, 'model' | 'isTranscription' | 'isBeta'>,
  prepared: object | undefined,
  instructions: string,
): { readonly config: SessionConfig; readonly manner: Manner } {
  if (isTranscription) {
    throw new ProtocolError('invalid_value', NO_TRANSCRIPTION, { param: 'intent' })
  }
  const ofToken = prepared && 'model' in prepared && typeof prepared.model === 'string' ? prepared.model : null
  const config = defaultSession(checkModel(vocabulary, model ?? ofToken), vocabulary.defaultVoice, instructions)
  const manner = { dialect: isBeta ? 'beta' : 'ga', isSure: isBeta } as const
  return { config: prepared ? preparedSession(vocabulary, config, prepared) : config, manner }
}

/** A session as the body of a request describes it; the address of the connection still decides about the model. */
export function preparedSession(
  vocabulary: Vocabulary,
  config: SessionConfig,
  body: object,
  dialect: Dialect = 'ga',
  prefix: readonly string[] = [],
): SessionConfig {
  const { model: _, ...rest } = parseWith(sessionSchema(vocabulary), body, prefix)
  return applySession(config, { ...rest, type: 'realtime' }, { dialect, vocabulary, hasSpoken: false })
}
