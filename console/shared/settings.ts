export type Oidc = {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
  readonly token: 'access_token' | 'id_token'
}
type Settings = { readonly oidc: Oidc | null }

/** What the service says of itself; it writes this element from the same shape (src/http/console-routes.ts). */
export const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{"oidc":null}') as Settings

/** Where the service is: the page is served at its root, whatever BASE_PATH is. */
export const serviceUrl = new URL('.', location.href.split('#')[0]).href.replace(/\/$/, '')

/** Lets the waveform's own style element pass the content policy. */
export const styleNonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
