import { parseArgs } from 'node:util'
import { openIdentity } from '../../platform/identity/open-identity.ts'
import { readConfig } from '../config.ts'
import { identityOf } from '../identity-of.ts'
import { type Command, UsageError } from './command.ts'

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const MAX_TTL_SECONDS = 366 * 86_400

export const token: Command = {
  help: `lipik token --user NAME [--ttl 1h]

Prints a token of the service's own issuer, and nothing else. The service need not run; it must use the same DATA_DIR.

  --user NAME   whose token; becomes its "sub"
  --ttl TIME    how long it is valid: 45s, 30m, 1h (the default), 7d

Examples:
  lipik token --user asha
  curl -H "Authorization: Bearer $(lipik token --user asha --ttl 7d)" http://127.0.0.1:8080/files
`,

  async run(args, { env, print }) {
    const { values } = parseArgs({ args: [...args], options: { user: { type: 'string' }, ttl: { type: 'string' } } })
    const { user, ttl = '1h' } = values
    if (!user) throw new UsageError('--user NAME is required')
    const ttlSeconds = parseTtl(ttl)
    const config = readConfig(env)
    if (config.AUTH_JWKS_URL !== undefined || config.AUTH_JWKS_FILE !== undefined) {
      throw new Error(
        'AUTH_JWKS_URL or AUTH_JWKS_FILE is set: tokens come from the issuer of those keys, not from here',
      )
    }
    const { localIssuer, verifyToken } = await openIdentity(identityOf(config))
    const minted = (await localIssuer?.mint({ user, ttlSeconds })) ?? ''
    // A name the service would refuse is better refused here.
    await verifyToken(minted)
    print(minted)
    return 0
  },
}

function parseTtl(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? Number.NaN)
  if (seconds >= 1 && seconds <= MAX_TTL_SECONDS) return seconds
  throw new UsageError(`--ttl must be a time such as 45s, 30m, 1h or 7d, at most 366d, not "${text}"`)
}
