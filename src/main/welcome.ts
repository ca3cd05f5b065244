import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeWav } from '../audio/wav.ts'
import type { Identity } from '../platform/identity/open-identity.ts'
import { SAMPLE_RATE_HZ } from '../speech/ports.ts'

export type WelcomeOptions = { readonly baseUrl: string; readonly dataDir: string; readonly identity: Identity }

const USER = 'me'
const TTL_SECONDS = 86_400

/** What a newcomer needs: where it is, who they are, and a line that works as printed. */
export async function welcome({ baseUrl, dataDir, identity }: WelcomeOptions): Promise<string> {
  const token = await identity.localIssuer?.mint({ user: USER, ttlSeconds: TTL_SECONDS })
  const file = join(dataDir, 'example.wav')
  await writeFile(file, encodeWav(tone()))
  return [
    '',
    `Lipik is ready at ${baseUrl}`,
    `The interface is described at ${baseUrl}/openapi.json`,
    ...(token === undefined
      ? ['Tokens come from the configured issuer; put one into TOKEN.']
      : [`A token for the user "${USER}", valid for a day (lipik token makes others):`, '', token]),
    '',
    'Try it:',
    '',
    `curl -H "Authorization: Bearer ${token ?? '$TOKEN'}" -F "files=@${file}" ${baseUrl}/files/upload`,
    '',
  ].join('\n')
}

const tone = (): Float32Array =>
  Float32Array.from({ length: SAMPLE_RATE_HZ }, (_, at) => 0.3 * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE_HZ))
