import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { ServiceClient } from '../test/support/service-client.ts'
import { countLeaks } from './chaos/count-leaks.ts'
import { createRandom } from './chaos/random.ts'
import { Supervised } from './chaos/supervise.ts'

const HELP = `npm run chaos -- [--minutes N] [--seed N] [--json OUT]

Runs the service as processes of its own (server with PostgreSQL, file and chunk workers), keeps it busy, and every five
seconds kills one of them, or PostgreSQL, with SIGKILL. Then calm, and a count of what was lost, doubled, stuck or leaked.`

const FILES = 10
const LINES = 4
const FAULT_EVERY_MS = 5_000
const CALM_MS = 180_000
const PORT = '18473'
const WORKERS = ['file', 'chunk', 'chunk'] as const

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

type Fault = 'worker' | 'server' | 'postgres'
type Batch = { readonly id: string; readonly texts: Readonly<Record<string, string>> }

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lipik-chaos-'))
  const env = {
    DATA_DIR: folder,
    PORT,
    SPOOL_MIN_FREE_BYTES: '0',
    EMBEDDED_WORKERS: 'false',
    CHUNK_MAX_RETRIES: '20',
    FILE_MAX_RETRIES: '20',
  }
  const server = new Supervised('server', env)
  const { origin, token, databaseUrl } = await server.ready
  const workers = WORKERS.map((role) => new Supervised(role, env))
  await Promise.all(workers.map((worker) => worker.ready))
  // Asked of the server itself: only this run's PostgreSQL is ever killed.
  const dataDirectory = await withPool(databaseUrl, dataDirectoryOf)
  const client = new ServiceClient(origin, token)
  const batches: Batch[] = []
  const faults: Record<Fault, number> = { worker: 0, server: 0, postgres: 0 }
  const until = performance.now() + Number(values.minutes) * 60_000
  const busy = keepBusy(client, batches, () => performance.now() < until)
  const random = createRandom(Number(values.seed))
  while (performance.now() < until) {
    await delay(FAULT_EVERY_MS)
    await strike(random)
  }
  await busy
  const stuck = await calm(client, batches)
  const heard = await compare(client, batches)
  const leaked = await withPool(databaseUrl, (pool) => countLeaks(pool, join(folder, 'objects')))
  await Promise.all(workers.map((worker) => worker.stop()))
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  const report = { faults, files: batches.length * FILES, ...heard, stuck, leaked }
  console.log(report)
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  process.exitCode = heard.lost + heard.doubled + stuck + leaked === 0 ? 0 : 1

  async function strike(draw: () => number): Promise<void> {
    const dice = draw()
    const fault: Fault = dice < 0.7 ? 'worker' : dice < 0.85 ? 'postgres' : 'server'
    faults[fault]++
    console.log(`kill -9 ${fault}`)
    if (fault === 'postgres') await killPostgres(dataDirectory)
    else if (fault === 'server') server.kill()
    else workers[Math.floor(draw() * workers.length)]?.kill()
  }
}

/** PostgreSQL writes its own number into its folder; while it is starting again there is none to kill. */
async function killPostgres(dataDirectory: string): Promise<void> {
  const [pid] = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  try {
    if (pid) process.kill(Number(pid), 'SIGKILL')
  } catch {
    // It was gone already: the file outlives a killed server.
  }
}

async function dataDirectoryOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ data_directory: string }>('show data_directory')
  return rows[0]?.data_directory ?? ''
}

async function keepBusy(client: ServiceClient, batches: Batch[], goOn: () => boolean): Promise<void> {
  for (let n = 0; goOn(); n++) {
    const texts = Object.fromEntries(
      Array.from({ length: FILES }, (_, file) => {
        const lines = Array.from({ length: LINES }, (_, line) => `!slow:150 b${n}f${file}l${line}`)
        return [`${file}.wav`, lines.join('\n')]
      }),
    )
    batches.push({ id: await client.submit(texts, `batch-${n}`), texts })
    await delay(1000)
  }
}

/** Waits for every batch; gives how many have not ended in that time. */
async function calm(client: ServiceClient, batches: readonly Batch[]): Promise<number> {
  const until = performance.now() + CALM_MS
  const open = new Set(batches.map(({ id }) => id))
  while (open.size > 0 && performance.now() < until) {
    for (const id of open) if (await client.hasEnded(id)) open.delete(id)
    await delay(500)
  }
  return open.size
}

/** Every word of every recording must be heard, and once. */
async function compare(client: ServiceClient, batches: readonly Batch[]): Promise<{ lost: number; doubled: number }> {
  let lost = 0
  let doubled = 0
  for (const { id, texts } of batches) {
    const files = await client.files(id)
    for (const [name, text] of Object.entries(texts)) {
      const found = files
        .filter(({ filename }) => filename === name)
        .flatMap(({ result }) => result?.text.split(' ') ?? [])
      const wanted = text.split('\n').map((line) => line.split(' ')[1])
      lost += wanted.filter((word) => word !== undefined && !found.includes(word)).length
      doubled += found.length - new Set(found).size
    }
  }
  return { lost, doubled }
}

async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString: url, max: 1 })
  return work(pool).finally(() => pool.end())
}

if (values.help) console.log(HELP)
else await main()
// A PostgreSQL that outlived its killed server may still hold our end of a pipe.
process.exit()
