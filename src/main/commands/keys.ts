import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/schema.ts'
import { joinDatabase, type StartDatabaseOptions, startDatabase } from '../../platform/database/start-database.ts'
import { LipikError } from '../../platform/errors.ts'
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../platform/identity/api-keys.ts'
import type { UserId } from '../../platform/ids.ts'
import { createLogger } from '../../platform/log.ts'
import { readConfig } from '../config.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'

type Db = Kysely<Database>

export const keys: Command = {
  help: `lipik keys create --user NAME
lipik keys list [--json]
lipik keys revoke ID

Makes, lists and revokes the API keys of realtime sessions. The service need not run; it must use the same DATA_DIR or
DATABASE_URL. A key is printed once, when it is made; it is kept only as a hash.

Examples:
  lipik keys create --user asha
  lipik keys list
  lipik keys revoke 0190c2f4-7e1a-7000-8000-5b2f6d1c9a10
`,

  async run([action, ...args], context) {
    if (action === 'create') return create(args, context)
    if (action === 'list') return list(args, context)
    if (action === 'revoke') return revoke(args, context)
    throw new UsageError('say what to do with keys: create, list or revoke')
  },
}

async function create(args: readonly string[], context: CommandContext): Promise<number> {
  const { user } = parseArgs({ args: [...args], options: { user: { type: 'string' } } }).values
  if (!user) throw new UsageError('--user NAME is required')
  // Whoever runs this command decides who a user is.
  const { id, key } = await withDatabase(context, (db) => createApiKey(db, user as UserId))
  context.note(`key ${id} of ${user}; it is shown only now`)
  context.print(key)
  return 0
}

async function list(args: readonly string[], context: CommandContext): Promise<number> {
  const { json } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } }).values
  const all = await withDatabase(context, listApiKeys)
  if (json) context.print(JSON.stringify(all))
  else for (const key of all) context.print(lineOf(key))
  return 0
}

async function revoke(args: readonly string[], context: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true })
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0) throw new UsageError('one ID is required, as `lipik keys list` shows it')
  const isRevoked = await withDatabase(context, (db) => revokeApiKey(db, id))
  context.note(isRevoked ? `revoked ${id}` : `there is no key ${id} that is not revoked`)
  return isRevoked ? 0 : 1
}

function lineOf({ id, userId, hint, createdAt, lastUsedAt, revokedAt }: ApiKey): string {
  const used = lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'never used'
  const state = revokedAt ? `revoked ${revokedAt.toISOString()}` : used
  return `${id}  ${userId}  lk_…${hint}  made ${createdAt.toISOString()}  ${state}`
}

/** The database of the service that runs here, or else of the one that would. */
async function withDatabase<T>({ env }: CommandContext, work: (db: Db) => Promise<T>): Promise<T> {
  const config = readConfig(env)
  const options: StartDatabaseOptions = {
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log: createLogger({ level: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL }),
    maxConnections: 2,
    onGiveUp: () => undefined,
  }
  const database = await joinDatabase(options).catch((error: unknown) => {
    if (error instanceof LipikError && error.code === 'unavailable') return startDatabase(options)
    throw error
  })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}
