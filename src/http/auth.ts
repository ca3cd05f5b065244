import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { LipikError } from '../platform/errors.ts'
import type { Caller } from '../platform/identity/api-keys.ts'
import type { UserId } from '../platform/ids.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Set by the auth hook before any protected handler runs; reading it on an open route is a mistake. */
    userId: UserId
    /** Who asks, with a key or a token: only on routes that take keys. */
    caller: Caller
  }
}

export type VerifyToken = (token: string) => Promise<UserId>
export type VerifyCaller = (credential: string) => Promise<Caller>

/** RFC 6750, section 2.1: the scheme is case-insensitive, the token is of the b64token alphabet. */
const BEARER = /^bearer +([\w.~+/-]+=*) *$/i

/** Runs before the body is read: a stranger's upload is refused on its headers. */
export const bearerHook =
  (verifyToken: VerifyToken): onRequestAsyncHookHandler =>
  async (request) => {
    request.userId = await verifyToken(bearerToken(request))
  }

/** The same for routes that also take API keys. */
export const callerHook =
  (verifyCaller: VerifyCaller): onRequestAsyncHookHandler =>
  async (request) => {
    request.caller = await verifyCaller(bearerToken(request))
    request.userId = request.caller.userId
  }

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined) throw new LipikError('unauthorized', 'a bearer token is required')
  const token = BEARER.exec(header)?.[1]
  if (token === undefined) throw new LipikError('unauthorized', 'the Authorization header is not "Bearer <token>"')
  return token
}
