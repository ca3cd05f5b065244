import Config from '@npmcli/config'
import described from '@npmcli/config/lib/definitions/index.js'

/** Silence for this long, at connecting or in the middle of a file, means that the source is not there. */
const IDLE_TIMEOUT_MS = 20_000

export type NpmSettings = Readonly<Record<string, unknown>> & { readonly registry: string }

/** The registry, proxy, certificates and credentials the user has set for npm: in `.npmrc` files and `npm_config_*`. */
export async function readNpmSettings(env: Readonly<Record<string, string | undefined>>): Promise<NpmSettings> {
  const cwd = process.cwd()
  const argv = [process.execPath, 'lipik']
  const config = new Config({ ...described, npmPath: cwd, argv, cwd, env, warn: false })
  await config.load()
  return {
    ...config.flat,
    registry: String(config.flat.registry),
    // Retrying is ours: npm's waits up to a minute and starts again at the first byte. Nor do weights belong in its cache.
    retry: { retries: 0 },
    cache: undefined,
    timeout: IDLE_TIMEOUT_MS,
  }
}
