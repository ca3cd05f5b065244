import { get } from 'node:http'
import { type Kysely, sql } from 'kysely'
import { createBatches } from '../src/batches/batches-service.ts'
import { createApp } from '../src/http/app.ts'
import { resultsRoutes } from '../src/http/results-routes.ts'
import type { Database } from '../src/platform/database/schema.ts'
import type { UserId } from '../src/platform/ids.ts'
import { createLogger } from '../src/platform/log.ts'
import { openDiskBlobStore } from '../src/platform/storage/disk-blob-store.ts'
import { openBenchDatabase } from './support/bench-database.ts'
import { type Bench, type Figure, median, spread } from './support/figure.ts'

const FILES = 100_000
const BATCH = '01900000-0000-7000-8000-000000000001'
const REPEATS = 3
const USER = 'bench' as UserId

/** A batch of 100,000 results as a stream: how fast beside only reading the rows, and what memory it takes. */
export const bench: Bench = async (say) => {
  const database = await openBenchDatabase()
  const { db } = database
  await fill(db)
  const blobs = await openDiskBlobStore(`${database.folder}/objects`)
  const submit = { maxBatchFiles: 1, maxQueueDepth: 1, silentSeconds: 60 }
  const batches = createBatches({ db, blobs, submit, development: false, keepObjects: true })
  const app = await createApp({
    log: createLogger({ level: 'silent' }),
    basePath: '',
    maxJsonBytes: 1000,
    verifyToken: async () => USER,
    openRoutes: [],
    userRoutes: [resultsRoutes(batches)],
  })
  try {
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const reading = await repeat(() => onlyRead(db))
    const ndjson = await repeat(() => download(origin, 'ndjson', say))
    const json = await repeat(() => download(origin, 'json', say))
    return [
      speed(
        'ndjson',
        ndjson.map(({ seconds }) => seconds),
        reading.map(({ seconds }) => seconds),
      ),
      speed(
        'json',
        json.map(({ seconds }) => seconds),
        reading.map(({ seconds }) => seconds),
      ),
      memory('ndjson', ndjson),
      memory('json', json),
    ]
  } finally {
    app.server.closeAllConnections()
    await app.close()
    await database.close()
  }
}

type Run = { readonly seconds: number; readonly earlyMb: number; readonly lateMb: number }

const speed = (format: string, values: readonly number[], against: readonly number[]): Figure => ({
  name: `download of ${FILES} results as ${format}`,
  value: median(values),
  unit: 's',
  baseline: 'reading the same rows and dropping them',
  ratio: median(values) / median(against),
  spread: spread(values),
})

const memory = (format: string, runs: readonly Run[]): Figure => {
  const ratios = runs.map(({ earlyMb, lateMb }) => lateMb / earlyMb)
  return {
    name: `memory near the end of a download as ${format}`,
    value: median(runs.map(({ lateMb }) => lateMb)),
    unit: 'MB',
    baseline: 'memory after its first tenth',
    ratio: median(ratios),
    spread: spread(ratios),
  }
}

async function repeat<T>(run: () => Promise<T>): Promise<T[]> {
  const runs: T[] = []
  for (let n = 0; n < REPEATS; n++) runs.push(await run())
  return runs
}

async function fill(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into batches (id, user_id, options, submitted_files, total_files, files_completed, audio_seconds, finished_at)
    values (${BATCH}, ${USER}, '{"script":"native","tags":true}', ${FILES}, ${FILES}, ${FILES}, ${FILES}, now())`.execute(
    db,
  )
  const text = Array.from({ length: 60 }, (_, at) => `shabd${at}`).join(' ')
  const result = JSON.stringify({ text, language: 'hi', languages: ['hi', 'en'], durationMs: 30_000, segments: [] })
  await sql`
    insert into jobs (id, kind, batch_id, user_id, file_id, position, chunk_index, status, turn, filename, source,
      audio_seconds, total_chunks, chunks_done, result, finished_at)
    select gen_random_uuid(), 'file', ${BATCH}, ${USER}, gen_random_uuid(), n - 1, -1, 'completed', n, n || '.wav', '{}',
      30, 1, 1, ${result}::jsonb, now()
    from generate_series(1, ${FILES}) as n`.execute(db)
  await sql`vacuum analyze jobs`.execute(db)
}

async function onlyRead(db: Kysely<Database>): Promise<{ readonly seconds: number }> {
  const began = performance.now()
  for (let after = -1; after < FILES - 1; after += 200) {
    await sql`
      select file_id, filename, status, result from jobs
      where batch_id = ${BATCH} and kind = 'file' and position > ${after} order by position limit 200`.execute(db)
  }
  return { seconds: (performance.now() - began) / 1000 }
}

/** Reads the stream as a client would, checks every row, and looks at the memory of both on the way. */
async function download(origin: string, format: 'ndjson' | 'json', say: (line: string) => void): Promise<Run> {
  const began = performance.now()
  const url = `${origin}/transcribe/download/batch/${BATCH}?format=${format}`
  const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    get(url, { headers: { authorization: 'Bearer x' } }, resolve).on('error', reject),
  )
  let rows = 0
  let rest = ''
  const seen: number[] = []
  for await (const piece of response) {
    const [whole, left] = cut(rest + String(piece), format)
    rest = left
    for (const row of whole) if (JSON.parse(row).status === 'completed') rows++
    seen.push(process.memoryUsage().rss / 1e6)
  }
  if (format === 'json') for (const row of cut(`${rest.slice(0, -2)},`, format)[0]) if (JSON.parse(row)) rows++
  if (rows !== FILES) throw new Error(`${rows} rows came of ${FILES}`)
  const tenth = Math.floor(seen.length / 10)
  const run = {
    seconds: (performance.now() - began) / 1000,
    earlyMb: median(seen.slice(tenth, 2 * tenth)),
    lateMb: median(seen.slice(-tenth)),
  }
  say(
    `${format}: ${rows} valid rows in ${run.seconds.toFixed(1)} s, ${run.earlyMb.toFixed(0)} MB then ${run.lateMb.toFixed(0)} MB`,
  )
  return run
}

/** Whole rows of what has come so far. In the JSON form a row ends where the next begins: `},{"file_id"`. */
function cut(text: string, format: 'ndjson' | 'json'): [string[], string] {
  if (format === 'ndjson') {
    const lines = text.split('\n')
    return [lines.slice(0, -1), lines.at(-1) ?? '']
  }
  const body = text.slice(text.startsWith('{"batch_id"') ? text.indexOf('[') + 1 : 0)
  const pieces = body.split(/(?<=\}),(?=\{"file_id"|$)/)
  return [pieces.slice(0, -1), pieces.at(-1) ?? '']
}
