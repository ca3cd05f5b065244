import { resolve } from 'node:path'
import { relaySettings, sessionSettings } from './settings/realtime-settings.ts'
import {
  authSettings,
  consoleSettings,
  databaseSettings,
  serverSettings,
  storageSettings,
} from './settings/server-settings.ts'
import type { Setting } from './settings/setting.ts'
import { realtimeSettings, speechSettings } from './settings/speech-settings.ts'
import { batchSettings, fileSettings, retrySettings, workerSettings } from './settings/work-settings.ts'

/** In the order of the page that is made from it. */
export const SETTING_GROUPS = {
  Server: serverSettings,
  Database: databaseSettings,
  Storage: storageSettings,
  Identity: authSettings,
  Console: consoleSettings,
  Files: fileSettings,
  Batches: batchSettings,
  Workers: workerSettings,
  Retries: retrySettings,
  Speech: speechSettings,
  Realtime: { ...sessionSettings, ...realtimeSettings },
  Relay: relaySettings,
} as const

const SETTINGS = {
  ...serverSettings,
  ...databaseSettings,
  ...storageSettings,
  ...authSettings,
  ...consoleSettings,
  ...fileSettings,
  ...batchSettings,
  ...workerSettings,
  ...retrySettings,
  ...speechSettings,
  ...realtimeSettings,
  ...sessionSettings,
  ...relaySettings,
}

type ValueOf<S> = S extends Setting<infer T> ? T : never
export type Config = { readonly [N in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[N]> }
export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`wrong settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** Reads every setting once. What comes back cannot be wrong; what is wrong is named all at once. */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = env[name]?.trim() || setting.fallback
    const parsed = given === undefined ? undefined : setting.schema.safeParse(given)
    values[name] = parsed?.data
    if (parsed?.error) faults.push(`${name}: must be ${setting.form}${setting.secret ? '' : `, not "${given}"`}`)
  }
  // Each name was read by the schema that gives it its type.
  const config = values as Config
  faults.push(...contradictions(config))
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) }
}

function contradictions(config: Config): string[] {
  const faults: string[] = []
  if (config.AUTH_JWKS_URL !== undefined && config.AUTH_JWKS_FILE !== undefined) {
    faults.push('AUTH_JWKS_URL, AUTH_JWKS_FILE: only one of them may be set')
  }
  if ((config.S3_ACCESS_KEY_ID === undefined) !== (config.S3_SECRET_ACCESS_KEY === undefined)) {
    faults.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: both or neither must be set')
  }
  if (config.LLM_BASE_URL !== undefined && config.LLM_MODEL === undefined) {
    faults.push('LLM_MODEL: must be set together with LLM_BASE_URL')
  }
  if (config.LLM_BASE_URL !== undefined && config.LLM_GGUF !== undefined) {
    faults.push('LLM_BASE_URL, LLM_GGUF: only one of them may be set')
  }
  if ((config.OIDC_ISSUER === undefined) !== (config.OIDC_CLIENT_ID === undefined)) {
    faults.push('OIDC_ISSUER, OIDC_CLIENT_ID: both or neither must be set')
  }
  if (config.MAX_FILE_BYTES > config.MAX_UPLOAD_BYTES) {
    faults.push('MAX_FILE_BYTES: must not be larger than MAX_UPLOAD_BYTES')
  }
  return faults
}
