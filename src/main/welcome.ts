import type { Identity } from '../platform/identity/open-identity.ts'
import { packageFile } from './package-file.ts'

export type WelcomeOptions = { readonly baseUrl: string; readonly identity: Identity }

/** A sentence in Hindi and English, spoken by the service's own voice. */
const EXAMPLE = packageFile('assets/example.wav')

const USER = 'me'
const TTL_SECONDS = 86_400

/** What a newcomer needs: where it is, who they are, and a line that works as printed. */
export async function welcome({ baseUrl, identity }: WelcomeOptions): Promise<string> {
  const token = await identity.localIssuer?.mint({ user: USER, ttlSeconds: TTL_SECONDS })
  return [
    '',
    `Lipik is ready at ${baseUrl}`,
    ...(token === undefined ? [] : [`Open the console, signed in: ${baseUrl}/#token=${token}`]),
    `The interface is described at ${baseUrl}/openapi.json`,
    ...(token === undefined
      ? ['Tokens come from the configured issuer; put one into TOKEN.']
      : [`A token for the user "${USER}", valid for a day (lipik token makes others):`, '', token]),
    '',
    'Try it:',
    '',
    `curl -H "Authorization: Bearer ${token ?? '$TOKEN'}" -F "files=@${EXAMPLE}" ${baseUrl}/files/upload`,
    '',
  ].join('\n')
}
