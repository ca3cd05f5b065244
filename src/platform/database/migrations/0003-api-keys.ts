import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Secrets are kept as hashes: who reads these tables can use none of them. */
async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id uuid primary key,
      user_id text not null,
      secret_hash text not null unique,
      hint text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`
    create table ephemeral_tokens (
      secret_hash text primary key,
      user_id text not null,
      limit_key text not null,
      session jsonb not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index ephemeral_tokens_age on ephemeral_tokens (expires_at)`.execute(db)
}

export const apiKeysMigration: Migration = { name: '0003-api-keys', up }
