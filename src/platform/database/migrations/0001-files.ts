import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

async function up(db: Kysely<unknown>): Promise<void> {
  await createFiles(db)
  await countFiles(db)
  await createHousekeeping(db)
}

/** Ids are time-ordered and made when the row is, so (user_id, id) is at once the list's order and its index. */
async function createFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table upload_batches (
      id uuid primary key,
      user_id text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table files (
      id uuid primary key,
      user_id text not null,
      batch_upload_id uuid not null references upload_batches,
      position integer not null,
      filename text not null,
      content_type text not null,
      size_bytes bigint not null,
      sha256 text not null,
      estimated_duration_seconds double precision not null,
      storage_key text not null,
      upload_status text not null check (upload_status in ('pending', 'uploading', 'completed', 'failed')),
      spool_id uuid not null,
      spool_path text,
      attempts integer not null default 0,
      due_at timestamptz not null default now(),
      claimed_by text,
      lease_until timestamptz,
      last_error text,
      created_at timestamptz not null default now(),
      completed_at timestamptz,
      unique (batch_upload_id, position),
      check ((upload_status = 'uploading') = (claimed_by is not null)),
      check ((upload_status = 'completed') = (completed_at is not null)),
      check (upload_status = 'completed' or spool_path is not null)
    )`.execute(db)
  await sql`create index files_of_user on files (user_id, id)`.execute(db)
  await sql`create index files_of_user_by_status on files (user_id, upload_status, id)`.execute(db)
  await sql`create index files_by_storage_key on files (storage_key)`.execute(db)
  await sql`create index files_to_upload on files (spool_id, due_at) where upload_status = 'pending'`.execute(db)
  await sql`create index files_at_upload on files (lease_until) where upload_status = 'uploading'`.execute(db)
}

/**
 * A page of the list says how many files there are; counting a hundred thousand for it would make the first page of a
 * large user slow. Each change of the files adds its difference here, in the order of the key, so that two changes never
 * wait for each other in a circle.
 */
async function countFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_counts (
      user_id text not null,
      upload_status text not null,
      files bigint not null,
      primary key (user_id, upload_status)
    )`.execute(db)
  await sql`
    create function count_files() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into file_counts as c (user_id, upload_status, files)
          select user_id, upload_status, count(*) from added group by 1, 2 order by 1, 2
          on conflict (user_id, upload_status) do update set files = c.files + excluded.files;
      elsif tg_op = 'DELETE' then
        insert into file_counts as c (user_id, upload_status, files)
          select user_id, upload_status, -count(*) from removed group by 1, 2 order by 1, 2
          on conflict (user_id, upload_status) do update set files = c.files + excluded.files;
      else
        insert into file_counts as c (user_id, upload_status, files)
          select user_id, upload_status, sum(n) from (
            select user_id, upload_status, 1 as n from added
            union all
            select user_id, upload_status, -1 from removed
          ) as moved group by 1, 2 having sum(n) <> 0 order by 1, 2
          on conflict (user_id, upload_status) do update set files = c.files + excluded.files;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger files_added after insert on files
      referencing new table as added for each statement execute function count_files()`.execute(db)
  await sql`
    create trigger files_removed after delete on files
      referencing old table as removed for each statement execute function count_files()`.execute(db)
  await sql`
    create trigger files_moved after update on files
      referencing new table as added old table as removed for each statement execute function count_files()`.execute(db)
}

async function createHousekeeping(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table spools (
      id uuid primary key,
      seen_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table pending_deletions (
      storage_key text primary key,
      attempts integer not null default 0,
      due_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index pending_deletions_due on pending_deletions (due_at)`.execute(db)
  await sql`
    create table idempotency_keys (
      user_id text not null,
      scope text not null,
      key text not null,
      fingerprint text not null,
      answer jsonb not null,
      created_at timestamptz not null default now(),
      primary key (user_id, scope, key)
    )`.execute(db)
  await sql`create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db)
}

export const filesMigration: Migration = { name: '0001-files', up }
