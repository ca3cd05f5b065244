import { type Kysely, sql } from 'kysely'
import type { BatchOptions } from '../batches/batch-options.ts'
import type { FileClaim } from '../batches/claim-job.ts'
import { endFile, type ObjectRule } from '../batches/end-file.ts'
import { fileOutcome } from '../batches/job-state.ts'
import type { Database } from '../platform/database/schema.ts'
import type { ChunkTranscript, Transcript } from '../speech/transcript.ts'
import { mergeTranscripts, type PlacedTranscript } from '../transcription/merge-transcripts.ts'
import { transcriptInScript } from '../transcription/script/write-in-script.ts'

export type MergeDeps = ObjectRule & { readonly db: Kysely<Database>; readonly pauseMs: number }

type EndedChunk = {
  readonly startMs: number
  readonly endMs: number
  readonly overlapMs: number
  readonly transcript: ChunkTranscript | null
}

/** All chunks have ended, well or badly: writes what they say together, which is the file's end. */
export async function mergeFile(deps: MergeDeps, claim: FileClaim): Promise<void> {
  const { rows } = await sql<EndedChunk>`
    select start_ms as "startMs", end_ms as "endMs", overlap_ms as "overlapMs", result as transcript
    from jobs where batch_id = ${claim.batchId} and position = ${claim.position} and kind = 'chunk'
    order by chunk_index`.execute(deps.db)
  const placed = rows.flatMap(({ transcript, ...place }) => (transcript ? [{ ...place, transcript }] : []))
  const move = fileOutcome({ done: placed.length, failed: rows.length - placed.length })
  const durationMs = claim.durationMs ?? 0
  const transcript = move === 'fail' ? undefined : await merge(placed, durationMs, deps.pauseMs, claim.options)
  await endFile(deps.db, claim, transcript ? { move, transcript } : { move }, deps)
}

async function merge(
  placed: readonly PlacedTranscript[],
  durationMs: number,
  pauseMs: number,
  { tags, script }: BatchOptions,
): Promise<Transcript> {
  const merged = await mergeTranscripts(placed, { durationMs, tags, ...(tags && { pauseMs }) })
  return transcriptInScript(merged, script)
}
