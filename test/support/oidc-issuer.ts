import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newSigner } from './jwks-server.ts'

/** An OpenID Connect issuer on loopback that asks nobody for a password, and checks the proof of PKCE as it must. */
export async function openIssuer(user: string) {
  const signer = await newSigner('issuer')
  const challenges = new Map<string, string>()
  const state = { refusals: 0 }
  let issuer = ''

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const code = `code-${challenges.size}`
    if (query.get('code_challenge_method') === 'S256') challenges.set(code, query.get('code_challenge') ?? '')
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
  }

  const giveToken = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const form = new URLSearchParams(Buffer.concat(parts).toString())
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (challenges.get(form.get('code') ?? '') !== proof) {
      state.refusals += 1
      return sendJson(response, 400, { error: 'invalid_grant' })
    }
    sendJson(response, 200, { access_token: await signer.token(user), token_type: 'Bearer', expires_in: 600 })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (pathname === '/.well-known/openid-configuration')
      return sendJson(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks.json`,
      })
    if (pathname === '/jwks.json') return sendJson(response, 200, { keys: [signer.jwk] })
    if (pathname === '/authorize') return authorize(searchParams, response)
    if (pathname === '/token') return giveToken(request, response)
    response.writeHead(404).end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on a host gives an address object, never a pipe's name.
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    state,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
  response.end(JSON.stringify(body))
}
