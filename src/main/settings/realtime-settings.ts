import { flag, integer, optional, secret, text } from './setting.ts'

const MIB = 1_048_576

export const sessionSettings = {
  REALTIME_ENABLED: flag('Serves voice sessions at `/v1/realtime`.', true),
  REALTIME_STRICT_MODELS: flag(
    'Takes only `lipik-realtime` as model, not the names that clients of OpenAI were built with.',
    false,
  ),
  REALTIME_VOICE: text('Voice of a session that names none.', 'tara', 'voice id', /./),
  REALTIME_INSTRUCTIONS: text(
    'What the assistant is told unless a session says otherwise.',
    'You are a friendly voice assistant. Answer briefly, in the language you are spoken to in.',
  ),
  REALTIME_SESSION_MINUTES: integer('Longest session; told as `expires_at`.', 30, {
    min: 1,
    max: 1_440,
    unit: 'minutes',
  }),
  REALTIME_MAX_SESSIONS: integer('Sessions open at the same time on one server; more get 503.', 500, { min: 1 }),
  REALTIME_SESSIONS_PER_KEY: integer('Sessions one key or user may have open on one server; more get 429.', 20, {
    min: 1,
  }),
  REALTIME_CONNECTIONS_PER_MINUTE: integer('Connections one key or user may begin in a minute; more get 429.', 120, {
    min: 1,
  }),
  REALTIME_RESPONSES_PER_MINUTE: integer('Responses one key or user may begin in a minute; more fail.', 600, {
    min: 1,
  }),
  REALTIME_MAX_FRAME_BYTES: integer('Largest frame; a larger one closes the connection with 1009.', 21 * MIB, {
    min: 65_536,
    unit: 'bytes',
  }),
  REALTIME_BUFFER_SECONDS: integer('Audio a client may append without committing it.', 600, {
    min: 1,
    max: 3_600,
    unit: 'seconds',
  }),
  REALTIME_KEPT_AUDIO_SECONDS: integer('Latest audio of a session kept for `conversation.item.retrieve`.', 300, {
    min: 0,
    max: 86_400,
    unit: 'seconds',
  }),
  REALTIME_MAX_TURN_SECONDS: integer('A spoken turn is ended after this long.', 60, {
    min: 5,
    max: 600,
    unit: 'seconds',
  }),
  REALTIME_BACKCHANNEL_MS: integer(
    'While the assistant speaks, only speech of at least this length interrupts it ("haan", "hmm", "ok" do not); 0 lets any speech.',
    400,
    { min: 0, max: 5_000, unit: 'milliseconds' },
  ),
  REALTIME_PING_SECONDS: integer('Time between pings; who does not answer one is dropped at the next.', 25, {
    min: 1,
    max: 3_600,
    unit: 'seconds',
  }),
  REALTIME_SEND_BUFFER_BYTES: integer(
    'What may wait for a slow client; beyond it the connection closes with 1008.',
    8 * MIB,
    {
      min: 262_144,
      unit: 'bytes',
    },
  ),
  REALTIME_SLOW_CLIENT_SECONDS: integer('How long speech waits for a client that does not read, then 1008.', 30, {
    min: 1,
    max: 3_600,
    unit: 'seconds',
  }),
}

export const relaySettings = {
  RELAY_UPSTREAM: text(
    'Service that `lipik relay` stands in front of, with its base path.',
    'ws://127.0.0.1:8080',
    '`ws://host:port` or `wss://host`',
    /^wss?:\/\/./,
  ),
  RELAY_API_KEY: optional(secret('Key that the relay shows the service.')),
  RELAY_ORIGINS: text('Pages that may connect to the relay; empty: any.', '', 'comma-separated origins'),
}
