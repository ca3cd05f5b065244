import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export type Signer = { readonly jwk: JWK; token(user?: string): Promise<string> }

/** A key pair of an issuer, with its public half as it is published. */
export async function newSigner(kid: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  return {
    jwk: { ...(await exportJWK(publicKey)), kid },
    token: (user = 'asha') =>
      new SignJWT({ sub: user }).setExpirationTime('10m').setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey),
  }
}

/** A publisher of keys on loopback: what it publishes can be changed, it counts its readers, and it can fall ill. */
export async function openJwksServer(keys: JWK[] = []) {
  const state = { keys, reads: 0, status: 200, body: undefined as string | undefined }
  const server = createServer((_request, response) => {
    state.reads += 1
    response.writeHead(state.status, { 'content-type': 'application/json' })
    response.end(state.body ?? JSON.stringify({ keys: state.keys }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on a host gives an address object, never a pipe's name.
  const { port } = server.address() as AddressInfo
  return {
    state,
    url: `http://127.0.0.1:${port}/jwks.json`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
