import { sql } from 'kysely'
import { loadCatalogue, RECOGNITION_MODELS, SYNTHESIS_MODELS } from '../../models/catalogue.ts'
import { defaultModelsDir } from '../../models/default-models-dir.ts'
import { locate } from '../../models/ensure-models.ts'
import { findFaults } from '../../models/file-stamps.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { findRunningPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { loadKeysFromFile, loadKeysFromUrl } from '../../platform/identity/load-keys.ts'
import { createLogger } from '../../platform/log.ts'
import { openBlobStore } from '../../platform/storage/open-blob-store.ts'
import type { Config, Environment } from '../config.ts'
import { storageOf } from '../open-ground.ts'
import { type Examination, failed, ok, warning } from './finding.ts'
import { reasonOf } from './reason-of.ts'

/** Tokens tolerate 30 s; a clock further off refuses people, or lets them in too long. */
const CLOCK_DRIFT_SECONDS = 10

/** What the service keeps and speaks to. */
export const partExaminations = (config: Config, env: Environment): Examination[] => [
  { name: 'database', examine: () => examineDatabase(config) },
  { name: 'storage', examine: () => examineStorage(config) },
  { name: 'identity', examine: () => examineIdentity(config) },
  { name: 'models', examine: () => examineModels(config, env) },
]

async function examineDatabase(config: Config) {
  const url = config.DATABASE_URL ?? (await findRunningPostgres(config.DATA_DIR))
  if (url === undefined) return ok('its own PostgreSQL, not running now; `lipik serve` starts it')
  const { db, close } = openDatabase({ url, log: createLogger({ level: 'silent' }), maxConnections: 2 })
  try {
    const { rows } = await sql<{ version: string; ahead: number }>`
      select current_setting('server_version') as version, extract(epoch from now())::float8 as ahead
    `.execute(db)
    const drift = Math.abs((rows[0]?.ahead ?? 0) - Date.now() / 1_000)
    const found = `PostgreSQL ${rows[0]?.version}`
    if (drift < CLOCK_DRIFT_SECONDS) return ok(`${found}, clocks agree`)
    return warning(`${found}, its clock is ${drift.toFixed(0)} s off`, 'set the clocks of both machines by NTP')
  } catch (error) {
    return failed(reasonOf(error), 'check DATABASE_URL, and that the server runs and lets this machine in')
  } finally {
    await close()
  }
}

async function examineStorage(config: Config) {
  const settings = storageOf(config)
  const blobs = await openBlobStore(settings)
  try {
    await blobs.check()
    return ok(`${settings.url} can be written and read`)
  } catch (error) {
    return failed(`${settings.url}: ${reasonOf(error)}`, 'check STORAGE_URL, its credentials and rights')
  } finally {
    await blobs.close()
  }
}

async function examineIdentity({ AUTH_JWKS_URL, AUTH_JWKS_FILE }: Config) {
  const place = AUTH_JWKS_URL ?? AUTH_JWKS_FILE
  if (place === undefined) return ok('its own issuer; `lipik token` makes tokens')
  try {
    const { keys } = await (AUTH_JWKS_URL === undefined ? loadKeysFromFile(place) : loadKeysFromUrl(place))
    return ok(`${keys.length} keys at ${place}`)
  } catch (error) {
    return failed(
      `${place}: ${reasonOf(error)}`,
      'check AUTH_JWKS_URL or AUTH_JWKS_FILE: without keys nobody is let in',
    )
  }
}

async function examineModels(config: Config, env: Environment) {
  const dir = config.MODELS_DIR ?? defaultModelsDir(env)
  const catalogue = await loadCatalogue(config.MODELS_CATALOGUE)
  const missing: string[] = []
  const wanted = [...RECOGNITION_MODELS, ...SYNTHESIS_MODELS]
  for (const name of wanted) {
    const entry = catalogue[name]
    if (entry === undefined || entry.kind === 'remote') continue
    if ((await findFaults(locate(name, entry, dir).dir, entry.files)).length > 0) missing.push(name)
  }
  if (missing.length === 0) return ok(`${wanted.length} in ${dir}`)
  return warning(
    `${missing.join(', ')} not in ${dir}`,
    '`lipik models pull` fetches them; so does the first `lipik serve`',
  )
}
