import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { LipikError } from '../platform/errors.ts'
import type { Asset, ConsoleFiles } from './console-files.ts'

/** How people of the configured issuer sign in (OpenID Connect, authorization code with PKCE). */
export type OidcSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
  /** Which of the two tokens the service is given. */
  readonly token: 'access_token' | 'id_token'
}

export type ConsoleDeps = {
  readonly files: ConsoleFiles
  readonly basePath: string
  readonly oidc?: OidcSettings | undefined
}

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
const FOR_EVER = 'public, max-age=31536000, immutable'

/** The web page and its files. They are no part of the described interface: the page speaks it like any other client. */
export const consoleRoutes =
  ({ files, basePath, oidc }: ConsoleDeps): FastifyPluginAsync =>
  async (app) => {
    const settings = JSON.stringify({ oidc: oidc ?? null }).replaceAll('<', '\\u003c')
    app.get('/', { schema: { hide: true } }, async (request, reply) => {
      // Without the slash the page's files would be looked for one level too high.
      if (basePath !== '' && request.url.split('?')[0] === basePath) return reply.redirect(`${basePath}/`, 308)
      const nonce = randomBytes(16).toString('base64')
      const page = files.page.replace('{{settings}}', () => settings).replaceAll('{{nonce}}', nonce)
      return reply
        .headers({
          ...COMMON,
          'cache-control': 'no-cache',
          'permissions-policy': 'microphone=(self)',
          'content-security-policy': contentPolicy(nonce, oidc),
        })
        .type('text/html; charset=utf-8')
        .send(page)
    })
    app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, async (request, reply) => {
      const asset = files.assets.get(request.params.name)
      if (!asset) throw new LipikError('not_found', 'not found')
      const { coding, bytes } = choose(asset, request.headers['accept-encoding'])
      return reply
        .headers({ ...COMMON, 'cache-control': FOR_EVER, vary: 'accept-encoding', ...coding })
        .type(asset.type)
        .send(bytes)
    })
  }

function choose({ plain, packed }: Asset, accepted = '') {
  const codings = accepted.split(',').map((each) => each.trim())
  for (const [coding, bytes] of packed)
    if (codings.includes(coding)) return { coding: { 'content-encoding': coding }, bytes }
  return { coding: {}, bytes: plain }
}

/** Nothing from elsewhere, except to ask the issuer for a token. Sound is played from memory. */
function contentPolicy(nonce: string, oidc: OidcSettings | undefined): string {
  const issuer = oidc ? ` ${new URL(oidc.issuer).origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    `connect-src 'self'${issuer}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
