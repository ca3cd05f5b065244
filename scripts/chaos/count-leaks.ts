import { readdir } from 'node:fs/promises'
import type { Pool } from 'pg'

/** Jobs and objects that nothing needs any more: counters beside the truth, held jobs that ended, audio of no job. */
const FORBIDDEN = [
  `select file.id from jobs file left join jobs chunk on chunk.parent_id = file.id where file.kind = 'file' group by file.id
   having file.chunks_done <> count(chunk.id) filter (where chunk.status = 'completed')
     or file.chunks_failed <> count(chunk.id) filter (where chunk.status = 'failed')`,
  `select batch.id from batches batch left join jobs file on file.batch_id = batch.id and file.kind = 'file' group by batch.id
   having batch.total_files <> count(file.id)
     or batch.files_completed <> count(file.id) filter (where file.status = 'completed')
     or batch.files_failed <> count(file.id) filter (where file.status = 'failed')`,
  `select id from jobs where finished_at is not null and worker_id is not null`,
  `select id from jobs chunk where kind = 'chunk' and not exists (select 1 from jobs file where file.id = chunk.parent_id)`,
  `select id from graphile_worker.jobs where key is null and locked_at is null`,
  `select key from graphile_worker.jobs where key like 'job:%'
     and not exists (select 1 from jobs where 'job:' || id = key and finished_at is null)`,
]

export async function countLeaks(pool: Pool, objects: string): Promise<number> {
  let leaks = 0
  for (const query of FORBIDDEN) leaks += (await pool.query(query)).rows.length
  const { rows } = await pool.query<{ id: string }>(`select id from jobs where kind = 'file'`)
  const known = new Set(rows.map(({ id }) => id))
  const paths = await readdir(objects, { recursive: true, withFileTypes: true })
  for (const path of paths) {
    const [, job] = /\/batches\/[^/]+\/([^/]+)$/.exec(path.parentPath) ?? []
    if (path.isFile() && job !== undefined && !known.has(job)) leaks++
  }
  return leaks
}
