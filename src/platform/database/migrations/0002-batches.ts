import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table batches (
      id uuid primary key,
      user_id text not null,
      options jsonb not null,
      submitted_files integer not null,
      total_files integer not null,
      files_completed integer not null default 0,
      files_partial integer not null default 0,
      files_failed integer not null default 0,
      audio_seconds double precision not null,
      created_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db)
  await sql`create index batches_age on batches (created_at)`.execute(db)
  await sql`create index batches_of_user on batches (user_id, created_at)`.execute(db)
  await createJobs(db)
  await sql`
    create table turns (
      user_id text not null,
      kind text not null,
      last bigint not null,
      primary key (user_id, kind)
    )`.execute(db)
  await sql`create index turns_last on turns (kind, last)`.execute(db)
  await sql`
    create table workers (
      id text primary key,
      mode text not null,
      slots integer not null,
      speed double precision,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table measured_speed (
      only_row boolean primary key default true check (only_row),
      speed double precision not null,
      measured_at timestamptz not null default now()
    )`.execute(db)
}

/** A file job and its chunk jobs share batch_id and position; the file itself stands at chunk_index -1, before its chunks. */
async function createJobs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table jobs (
      id uuid primary key,
      kind text not null check (kind in ('file', 'chunk')),
      batch_id uuid not null references batches,
      user_id text not null,
      file_id uuid not null,
      parent_id uuid,
      position integer not null,
      chunk_index integer not null,
      status text not null,
      phase text,
      fence integer not null default 0,
      attempts integer not null default 0,
      worker_id text,
      turn bigint not null,
      error jsonb,
      result jsonb,
      filename text,
      source jsonb,
      audio_seconds double precision not null,
      total_chunks integer,
      chunks_done integer not null default 0,
      chunks_failed integer not null default 0,
      start_ms integer,
      end_ms integer,
      overlap_ms integer,
      language_scores jsonb,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      unique (batch_id, position, chunk_index),
      check ((kind = 'chunk') = (parent_id is not null)),
      check ((kind = 'file') = (chunk_index = -1))
    )`.execute(db)
  await sql`create unique index files_of_batch on jobs (batch_id, position) where kind = 'file'`.execute(db)
  await sql`create index jobs_by_status on jobs (batch_id, status, kind)`.execute(db)
  await sql`create index jobs_of_file on jobs (file_id, created_at desc) where kind = 'file'`.execute(db)
  await sql`create index jobs_waiting on jobs (kind, turn) where status = 'queued'`.execute(db)
  await sql`create index jobs_at_work on jobs (worker_id) where worker_id is not null`.execute(db)
  await sql`
    create index jobs_unfinished on jobs (kind) include (audio_seconds)
    where status in ('queued', 'processing', 'retrying')`.execute(db)
}

export const batchesMigration: Migration = { name: '0002-batches', up }
