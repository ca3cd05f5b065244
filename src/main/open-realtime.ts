import type { RealtimeRoutesDeps } from '../http/realtime-routes.ts'
import { systemClock } from '../platform/clock.ts'
import { type Caller, isEphemeral, mintEphemeral, verifyEphemeral } from '../platform/identity/api-keys.ts'
import { createBetaSession, createClientSecret, type SecretDeps } from '../realtime/client-secrets.ts'
import { Door, type DoorSettings } from '../realtime/door.ts'
import { createClientEvents } from '../realtime/schema/client-events.ts'
import type { SessionServices } from '../realtime/session.ts'
import { DEFAULT_MODEL, type Vocabulary } from '../realtime/vocabulary.ts'
import type { LanguageModel } from '../speech/language-model.ts'
import type { ChunkTranscriber, Synthesizer, VoiceDetector } from '../speech/ports.ts'
import { resolveVoice } from '../speech/resolve-voice.ts'
import type { Config } from './config.ts'
import type { Ground } from './open-ground.ts'

/** What a voice session needs of the rest of the service. */
export type RealtimeEngines = {
  readonly model: LanguageModel
  readonly synthesizer: Synthesizer
  readonly transcriber: ChunkTranscriber
  readonly detector: VoiceDetector
}

export type Realtime = { readonly door: Door; readonly routes: RealtimeRoutesDeps }

/** 24 kHz, 16 bit. */
const PCM_BYTES_PER_SECOND = 48_000
/** The whole stop takes at most ten seconds: a sentence may end, a story may not. */
const DRAIN_MS = 3_000

export function openRealtime(
  ground: Ground,
  engines: RealtimeEngines,
  verifyCaller: (credential: string) => Promise<Caller>,
): Realtime {
  const { config, log, metrics, database } = ground
  const vocabulary = vocabularyOf(config, engines.synthesizer)
  const services: SessionServices = {
    ...engines,
    languages: config.ASR_LANGUAGES,
    vocabulary,
    events: createClientEvents(vocabulary),
    clock: systemClock,
    log,
    limits: limitsOf(config),
  }
  const verify = (credential: string) =>
    isEphemeral(credential) ? verifyEphemeral(database.db, credential) : verifyCaller(credential)
  const door = new Door({ services, settings: doorSettings(config), verify, metrics })
  const secretsFor = (caller: Caller): SecretDeps => ({
    vocabulary,
    instructions: config.REALTIME_INSTRUCTIONS,
    maxSessionMs: services.limits.maxSessionMs,
    mint: (session, seconds) => mintEphemeral(database.db, caller, session, seconds),
  })
  return {
    door,
    routes: {
      createBetaSession: (caller, body) => createBetaSession(secretsFor(caller), body),
      createClientSecret: (caller, body) => createClientSecret(secretsFor(caller), body),
    },
  }
}

function vocabularyOf(config: Config, { voices }: Synthesizer): Vocabulary {
  const defaultVoice = resolveVoice(voices, config.REALTIME_VOICE)?.id
  if (defaultVoice === undefined) throw new Error(`REALTIME_VOICE: there is no voice "${config.REALTIME_VOICE}"`)
  return {
    voices,
    defaultVoice,
    resolveVoice: (name) => resolveVoice(voices, name)?.id,
    model: DEFAULT_MODEL,
    isStrict: config.REALTIME_STRICT_MODELS,
  }
}

const limitsOf = (config: Config): SessionServices['limits'] => ({
  maxSessionMs: config.REALTIME_SESSION_MINUTES * 60_000,
  maxKeptBytes: config.REALTIME_KEPT_AUDIO_SECONDS * PCM_BYTES_PER_SECOND,
  maxBufferMs: config.REALTIME_BUFFER_SECONDS * 1_000,
  maxTurnMs: config.REALTIME_MAX_TURN_SECONDS * 1_000,
  backchannelMs: config.REALTIME_BACKCHANNEL_MS,
})

const doorSettings = (config: Config): DoorSettings => ({
  path: `${config.BASE_PATH}/v1/realtime`,
  maxFrameBytes: config.REALTIME_MAX_FRAME_BYTES,
  maxBufferedBytes: config.REALTIME_SEND_BUFFER_BYTES,
  slowMs: config.REALTIME_SLOW_CLIENT_SECONDS * 1_000,
  pingMs: config.REALTIME_PING_SECONDS * 1_000,
  drainMs: DRAIN_MS,
  instructions: config.REALTIME_INSTRUCTIONS,
  maxSessions: config.REALTIME_MAX_SESSIONS,
  sessionsPerKey: config.REALTIME_SESSIONS_PER_KEY,
  connectionsPerMinute: config.REALTIME_CONNECTIONS_PER_MINUTE,
  responsesPerMinute: config.REALTIME_RESPONSES_PER_MINUTE,
})
