import { parseWav } from '../audio/wav.ts'
import { unpackBalance } from '../batches/channel-balance.ts'
import { type ChunkClaim, claimChunk } from '../batches/claim-job.ts'
import { endChunk } from '../batches/end-chunk.ts'
import { chunkAudioKey, chunkRecordKey, type FileJobRef } from '../batches/job-objects.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import type { Language } from '../speech/language.ts'
import type { ChunkRequest, ChunkTranscriber, Outcome } from '../speech/ports.ts'
import type { ChunkTranscript } from '../speech/transcript.ts'
import { createGate, type Gate } from './gate.ts'
import { readAll } from './read-all.ts'
import { type ClaimedDeps, runClaimed } from './run-claimed.ts'
import type { Speedometer } from './speedometer.ts'

export type ChunkJobDeps = ClaimedDeps & {
  readonly blobs: BlobStore
  readonly transcriber: ChunkTranscriber
  readonly languages: readonly Language[]
  readonly keepObjects: boolean
  readonly speedometer: Speedometer
  /** More than one: chunks are collected and recognised together. */
  readonly batchSize: number
  readonly batchWaitMs: number
}

export type RunChunkJob = (jobId: string, workerId: string, signal: AbortSignal) => Promise<void>

/** With a batch size of one the gate lets every chunk through at once: there is one way, and it is always the same. */
export function createChunkJobs(deps: ChunkJobDeps, stopped: AbortSignal): RunChunkJob {
  const gate = createGate<ChunkClaim, ChunkTranscript>({
    size: deps.batchSize,
    waitMs: deps.batchWaitMs,
    run: (claims) => recognise(deps, claims, stopped),
  })
  return async (jobId, workerId, signal) => {
    const claim = await claimChunk(deps.db, jobId, workerId)
    if (!claim) return
    const job = {
      kind: 'chunk',
      claim,
      work: () => transcribeChunk(deps, gate, claim),
      fail: (fault: { code: string; message: string }) => endChunk(deps.db, claim, { fault }),
    } as const
    await runClaimed(deps, job, signal)
  }
}

async function transcribeChunk(
  deps: ChunkJobDeps,
  gate: Gate<ChunkClaim, ChunkTranscript>,
  claim: ChunkClaim,
): Promise<void> {
  const began = performance.now()
  const transcript = await gate.pass(claim)
  const audioSeconds = (claim.endMs - claim.startMs) / 1000
  deps.speedometer.measured(audioSeconds, (performance.now() - began) / 1000)
  if (deps.keepObjects) await keepRecord(deps, claim, transcript)
  if (await endChunk(deps.db, claim, { transcript })) deps.metrics.audioSeconds.inc(audioSeconds)
}

/** Downloads in parallel, recognises what arrived. A chunk that could not be read fails alone. */
async function recognise(
  { blobs, transcriber, languages }: ChunkJobDeps,
  claims: readonly ChunkClaim[],
  signal: AbortSignal,
): Promise<Outcome<ChunkTranscript>[]> {
  const loaded = await Promise.all(claims.map((claim) => load(blobs, claim, languages, signal)))
  const requests = loaded.flatMap((each) => (each.ok ? [each.value] : []))
  const answers = (requests.length > 0 ? await transcriber.transcribe(requests, signal) : []).values()
  return loaded.map((each) => (each.ok ? (answers.next().value ?? noAnswer()) : each))
}

const noAnswer = (): Outcome<ChunkTranscript> => ({
  ok: false,
  error: new Error('the engine gave fewer answers than it was asked for'),
})

async function load(
  blobs: BlobStore,
  claim: ChunkClaim,
  languages: readonly Language[],
  signal: AbortSignal,
): Promise<Outcome<ChunkRequest>> {
  try {
    const samples = parseWav(await readAll(await blobs.get(chunkAudioKey(fileOf(claim), claim.chunkIndex), signal)))
    const balance = claim.channelBalance && { balance: unpackBalance(claim.channelBalance) }
    return { ok: true, value: { samples, ...question(claim, languages), ...balance } }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function question({ options: { language }, languageScores }: ChunkClaim, languages: readonly Language[]) {
  return { languages, ...(language && { language }), ...(languageScores && { languageScores }) }
}

/** What was asked and what came back, for `replay`; the audio itself lies beside it. */
async function keepRecord({ blobs, languages }: ChunkJobDeps, claim: ChunkClaim, transcript: ChunkTranscript) {
  const { jobId, attempts, startMs, endMs } = claim
  const sent = question(claim, languages)
  const record = { chunk_id: jobId, attempts, start_ms: startMs, end_ms: endMs, sent, received: transcript }
  await blobs.put(chunkRecordKey(fileOf(claim), claim.chunkIndex), asBytes(JSON.stringify(record)))
}

const fileOf = ({ userId, batchId, parentId }: ChunkClaim): FileJobRef => ({ userId, batchId, fileJobId: parentId })

async function* asBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
