import type { Kysely } from 'kysely'
import { z } from 'zod'
import { parseWav } from '../audio/wav.ts'
import { findSavedChunk } from '../batches/find-saved-chunk.ts'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import type { ChunkTranscriber } from '../speech/ports.ts'
import type { ChunkTranscript } from '../speech/transcript.ts'
import { writeText } from '../transcription/write-text.ts'
import { readAll } from './read-all.ts'

export type ReplayDeps = {
  readonly db: Kysely<Database>
  readonly blobs: BlobStore
  readonly transcriber: ChunkTranscriber
}

export type Replay = {
  readonly chunk_id: string
  readonly text_then: string | null
  readonly text_now: string
  readonly same: boolean
  readonly now: ChunkTranscript
}

/** What `keepRecord` wrote; only what is used again is looked at. */
const Record = z.object({
  sent: z.object({
    languages: z.array(z.string()),
    language: z.string().optional(),
    languageScores: z.record(z.string(), z.number()).optional(),
  }),
  received: z.custom<ChunkTranscript>((value) => typeof value === 'object' && value !== null),
})

/** Runs a saved chunk through the engine again, with what the engine was told then, and lays both texts side by side. */
export async function replayChunk({ db, blobs, transcriber }: ReplayDeps, chunkId: string): Promise<Replay> {
  const saved = await findSavedChunk(db, chunkId)
  if (!saved) throw new LipikError('not_found', 'there is no such chunk')
  const samples = parseWav(await readAll(await blobs.get(saved.audioKey)))
  const record = Record.parse(JSON.parse(Buffer.from(await readAll(await blobs.get(saved.recordKey))).toString()))
  const { languages, language, languageScores } = record.sent
  const request = { samples, languages, ...(language && { language }), ...(languageScores && { languageScores }) }
  const [outcome] = await transcriber.transcribe([request])
  if (!outcome?.ok) throw outcome?.error ?? new LipikError('engine_crashed', 'the engine gave no answer')
  const then = writeText(record.received.segments)
  const now = writeText(outcome.value.segments)
  return { chunk_id: chunkId, text_then: then, text_now: now, same: then === now, now: outcome.value }
}
