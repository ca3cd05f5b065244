import type { FastifyPluginAsync } from 'fastify'
import { loadConsole } from '../http/console-files.ts'
import { consoleRoutes } from '../http/console-routes.ts'
import type { Logger } from '../platform/log.ts'
import type { Config } from './config.ts'
import { packageFile } from './package-file.ts'

/** Where `bin/lipik` builds it. */
const FOLDER = packageFile('dist/console')

/** The web page, where it is wanted and was built. */
export async function openConsole(config: Config, log: Logger): Promise<FastifyPluginAsync[]> {
  if (!config.CONSOLE_ENABLED) return []
  const folder = config.CONSOLE_DIR ?? FOLDER
  const files = await loadConsole(folder)
  if (!files) {
    log.info({ folder }, 'the console is not built')
    return []
  }
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config
  const oidc =
    issuer !== undefined && clientId !== undefined
      ? { issuer, clientId, scope: config.OIDC_SCOPE, token: config.OIDC_TOKEN }
      : undefined
  return [consoleRoutes({ files, basePath: config.BASE_PATH, oidc })]
}
