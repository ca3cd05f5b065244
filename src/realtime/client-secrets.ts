import { z } from 'zod'
import { LipikError } from '../platform/errors.ts'
import type { EphemeralToken } from '../platform/identity/api-keys.ts'
import { ProtocolError } from './protocol-error.ts'
import { newProtocolId } from './protocol-id.ts'
import { renderSession, type Wire } from './render-objects.ts'
import { parseWith } from './schema/parse-client-event.ts'
import { integer } from './schema/values.ts'
import { defaultSession } from './session-config.ts'
import { preparedSession } from './start-config.ts'
import { checkModel, type Vocabulary } from './vocabulary.ts'

const EXPIRES_AFTER = z.strictObject({
  anchor: z.literal('created_at').optional(),
  seconds: integer(10, 7_200).optional(),
})
const CLIENT_SECRET = z.strictObject({ expires_after: EXPIRES_AFTER.optional() })
const SESSIONS = z.looseObject({ client_secret: CLIENT_SECRET.nullish() })
const SECRETS = z.strictObject({
  expires_after: EXPIRES_AFTER.nullish(),
  session: z.looseObject({ type: z.literal('realtime') }).nullish(),
})

const BETA_SECONDS = 60
const GA_SECONDS = 600

export type SecretDeps = {
  readonly vocabulary: Vocabulary
  readonly instructions: string
  readonly maxSessionMs: number
  readonly mint: (session: object, seconds: number) => Promise<EphemeralToken>
}

/** `POST /v1/realtime/sessions`: the session as beta shows it, with a secret to begin it. */
export async function createBetaSession(deps: SecretDeps, body: unknown): Promise<Wire> {
  return asLipikError(async () => {
    const { client_secret, ...session } = parseWith(SESSIONS, body ?? {})
    const view = viewOf(deps, session, 'beta', [])
    const token = await deps.mint(session, client_secret?.expires_after?.seconds ?? BETA_SECONDS)
    return { ...renderSession(view, 'beta'), client_secret: { value: token.value, expires_at: unixOf(token) } }
  })
}

/** `POST /v1/realtime/client_secrets`: a secret, and the session that it begins. */
export async function createClientSecret(deps: SecretDeps, body: unknown): Promise<Wire> {
  return asLipikError(async () => {
    const { expires_after, session } = parseWith(SECRETS, body ?? {})
    const view = viewOf(deps, session ?? {}, 'ga', ['session'])
    const token = await deps.mint(session ?? {}, expires_after?.seconds ?? GA_SECONDS)
    return { value: token.value, expires_at: unixOf(token), session: renderSession(view, 'ga') }
  })
}

function viewOf(deps: SecretDeps, body: object, dialect: 'beta' | 'ga', prefix: readonly string[]) {
  const { vocabulary, instructions, maxSessionMs } = deps
  const asked = 'model' in body && typeof body.model === 'string' ? body.model : vocabulary.model
  const usual = defaultSession(checkModel(vocabulary, asked), vocabulary.defaultVoice, instructions)
  const config = preparedSession(vocabulary, usual, body, dialect, prefix)
  return { id: newProtocolId('sess'), expiresAt: Math.floor((Date.now() + maxSessionMs) / 1_000), config }
}

const unixOf = ({ expiresAt }: EphemeralToken): number => Math.floor(expiresAt.getTime() / 1_000)

/** The front door speaks of failures in its own words; the protocol's go along. */
async function asLipikError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { code, param } = error
    throw new LipikError('invalid_request', error.message, { cause: error, details: { code, param } })
  }
}
