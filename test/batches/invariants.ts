import { type Kysely, sql } from 'kysely'
import type { Database } from '../../src/platform/database/schema.ts'

/** Each query finds rows that must not exist, whatever happened before. */
const FORBIDDEN = {
  'a file whose counters differ from its chunks': sql`
    select file.id from jobs file left join jobs chunk on chunk.parent_id = file.id
    where file.kind = 'file' group by file.id
    having file.chunks_done <> count(chunk.id) filter (where chunk.status = 'completed')
      or file.chunks_failed <> count(chunk.id) filter (where chunk.status = 'failed')`,
  'a batch whose counters differ from its files': sql`
    select batch.id from batches batch left join jobs file on file.batch_id = batch.id and file.kind = 'file'
    group by batch.id
    having batch.total_files <> count(file.id)
      or batch.files_completed <> count(file.id) filter (where file.status = 'completed')
      or batch.files_partial <> count(file.id) filter (where file.status = 'partial')
      or batch.files_failed <> count(file.id) filter (where file.status = 'failed')
      or (batch.finished_at is not null) <> (count(file.id) = count(file.id) filter (where file.finished_at is not null))`,
  'a chunk without its file': sql`
    select chunk.id from jobs chunk left join jobs file on file.id = chunk.parent_id
    where chunk.kind = 'chunk' and (file.id is null or file.batch_id <> chunk.batch_id or file.position <> chunk.position)`,
  'a waiting job that no queue offers': sql`
    select jobs.id from jobs where not exists (
      select 1 from graphile_worker.jobs queued where queued.key = 'job:' || jobs.id)
    and (status in ('queued', 'retrying') or (status = 'processing' and phase = 'merge' and worker_id is null))`,
  'a job that is at work nowhere': sql`
    select id from jobs where status = 'processing' and worker_id is null
      and not (kind = 'file' and phase in ('chunks', 'merge'))`,
  'an ended job that is still held': sql`
    select id from jobs where finished_at is not null
      and (worker_id is not null or status in ('queued', 'processing', 'retrying'))`,
  'a file that waits for chunks which have all ended': sql`
    select id from jobs where kind = 'file' and status = 'processing' and phase = 'chunks'
      and chunks_done + chunks_failed = total_chunks`,
  'a file merged without all its chunks': sql`
    select id from jobs where kind = 'file' and status in ('completed', 'partial')
      and chunks_done + chunks_failed <> total_chunks`,
}

export async function brokenInvariants(db: Kysely<Database>): Promise<string[]> {
  const broken: string[] = []
  for (const [name, query] of Object.entries(FORBIDDEN)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows[0])}`)
  }
  return broken
}

export type SeenMove = { readonly from: string; readonly to: string; readonly merges: boolean }

/** From now on the database itself notes every change of a job's status, and every start of a merge. */
export async function watchMoves(db: Kysely<Database>): Promise<void> {
  await sql`create table seen_moves (at serial, id uuid, "from" text, "to" text, merges boolean)`.execute(db)
  await sql`
    create function see_move() returns trigger language plpgsql as $$
    begin
      insert into seen_moves (id, "from", "to", merges)
      values (new.id, old.status, new.status, new.phase = 'merge' and old.phase <> 'merge');
      return null;
    end $$`.execute(db)
  await sql`
    create trigger see_moves after update on jobs for each row
    when (old.status <> new.status or old.phase <> new.phase) execute function see_move()`.execute(db)
}

export async function seenMoves(db: Kysely<Database>): Promise<ReadonlyMap<string, SeenMove[]>> {
  const { rows } = await sql<SeenMove & { id: string }>`select * from seen_moves order by at`.execute(db)
  const byJob = new Map<string, SeenMove[]>()
  for (const row of rows) byJob.set(row.id, [...(byJob.get(row.id) ?? []), row])
  return byJob
}
