import { type Kysely, sql } from 'kysely'
import { listFiles, pageQuery } from '../src/files/list-files.ts'
import type { Database } from '../src/platform/database/schema.ts'
import type { UserId } from '../src/platform/ids.ts'
import { openBenchDatabase } from './support/bench-database.ts'
import { type Bench, type Figure, median, spread } from './support/figure.ts'

const MANY = 100_000
const FEW = 100
const LIMIT = 50
const REPEATS = 7
const CALLS = 40
const many = 'many' as UserId
const few = 'few' as UserId

/** Pages of a user with 100,000 files beside the first page of a user with 100, and the plan behind them. */
export const bench: Bench = async (say) => {
  const database = await openBenchDatabase()
  try {
    const { db } = database
    await fill(db, many, MANY)
    await fill(db, few, FEW)
    await sql`vacuum analyze files`.execute(db)
    await requireIndex(db, say)
    const small = await measure(db, few, 1)
    const pages = [1, MANY / LIMIT / 2, MANY / LIMIT]
    const figures: Figure[] = []
    for (const page of pages)
      figures.push(figure(`page ${page} of ${MANY} files`, await measure(db, many, page), small))
    return figures
  } finally {
    await database.close()
  }
}

/** Ids as the service makes them: time first, so that they grow. */
async function fill(db: Kysely<Database>, user: UserId, files: number): Promise<void> {
  const id = sql`(lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || substr(md5(${user}), 1, 4) || lpad(to_hex(n), 8, '0'))::uuid`
  await sql`
    with uploads as (
      insert into upload_batches (id, user_id) values (gen_random_uuid(), ${user}) returning id
    )
    insert into files (id, user_id, batch_upload_id, position, filename, content_type, size_bytes, sha256,
      estimated_duration_seconds, storage_key, upload_status, spool_id, completed_at)
    select ${id}, ${user}, uploads.id, n, n || '.wav', 'audio/wav', 1000, repeat('0', 64), 1,
      'users/x/uploads/' || n, 'completed', gen_random_uuid(), now()
    from uploads, generate_series(1, ${files}::bigint) as n
  `.execute(db)
}

async function requireIndex(db: Kysely<Database>, say: (line: string) => void): Promise<void> {
  for (const page of [1, MANY / LIMIT]) {
    const plan = await pageQuery(db, many, { page, limit: LIMIT }).explain(
      'text',
      sql`analyze, timing off, summary off`,
    )
    const lines = plan.map((row) => String(Object.values(row)[0]))
    say(`plan of page ${page}:`)
    for (const line of lines) say(`  ${line}`)
    if (!lines.some((line) => line.includes('files_of_user')) || lines.some((line) => line.includes('Seq Scan')))
      throw new Error('the list does not use its index')
  }
}

/** Milliseconds a page takes, several times over. */
async function measure(db: Kysely<Database>, user: UserId, page: number): Promise<number[]> {
  const times: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const started = performance.now()
    for (let call = 0; call < CALLS; call++) {
      const { count } = await listFiles(db, user, { page, limit: LIMIT })
      if (count !== LIMIT) throw new Error(`page ${page} has ${count} files`)
    }
    times.push((performance.now() - started) / CALLS)
  }
  return times
}

const figure = (name: string, times: readonly number[], small: readonly number[]): Figure => ({
  name,
  value: median(times),
  unit: 'ms',
  baseline: `page 1 of ${FEW} files`,
  ratio: median(times) / median(small),
  spread: spread(times),
})
