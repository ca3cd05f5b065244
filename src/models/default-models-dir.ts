import { homedir } from 'node:os'
import { join } from 'node:path'

/** The user's cache folder: weights outlive a checkout, and `node_modules` is thrown away by every `npm ci`. */
export function defaultModelsDir(
  env: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): string {
  return join(cacheDir(env, platform), 'lipik', 'models')
}

function cacheDir(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  if (platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA
  return join(homedir(), '.cache')
}
