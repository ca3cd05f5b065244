import * as oauth from 'oauth4webapi'
import { keepToken } from './session.ts'
import { type Oidc, serviceUrl } from './settings.ts'

/* OpenID Connect: authorization code with PKCE (RFC 7636), for a public client. */

const PENDING = 'lipik.oidc'
type Pending = { readonly verifier: string; readonly state: string; readonly hash: string }

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const redirectUri = `${serviceUrl}/`

const clientOf = ({ clientId }: Oidc): oauth.Client => ({ client_id: clientId })

/** An issuer on this machine may be without TLS; any other must have it. */
const transport = ({ issuer }: Oidc) => ({
  [oauth.allowInsecureRequests]: LOOPBACK.includes(new URL(issuer).hostname),
})

async function discover(oidc: Oidc): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(oidc.issuer)
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, transport(oidc)))
}

/** Leaves the page for the issuer's. */
export async function beginSignIn(oidc: Oidc): Promise<void> {
  const server = await discover(oidc)
  const verifier = oauth.generateRandomCodeVerifier()
  const pending: Pending = { verifier, state: oauth.generateRandomState(), hash: location.hash }
  sessionStorage.setItem(PENDING, JSON.stringify(pending))
  const address = new URL(server.authorization_endpoint ?? '')
  const asked = {
    client_id: oidc.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: oidc.scope,
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  location.assign(address)
}

/** Back from the issuer: trades the code for a token. */
export async function finishSignIn(oidc: Oidc): Promise<void> {
  const kept = sessionStorage.getItem(PENDING)
  const answer = new URL(location.href)
  // Written by beginSignIn in this tab; without it the code is nobody's.
  const pending = kept === null ? undefined : (JSON.parse(kept) as Pending)
  sessionStorage.removeItem(PENDING)
  history.replaceState(null, '', `${location.pathname}${pending?.hash ?? ''}`)
  if (!pending) throw new Error('the sign-in was not begun in this window')
  const [server, client] = [await discover(oidc), clientOf(oidc)]
  const parameters = oauth.validateAuthResponse(server, client, answer, pending.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    pending.verifier,
    transport(oidc),
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response)
  const token = tokens[oidc.token]
  if (typeof token !== 'string') throw new Error(`the issuer gave no ${oidc.token}`)
  keepToken(token)
}
