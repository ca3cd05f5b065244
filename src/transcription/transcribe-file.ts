import type { AudioBlock } from '../audio/audio-block.ts'
import type { Language, Script } from '../speech/language.ts'
import type { ChunkTranscriber, LanguageIdentifier, Outcome, VoiceDetector } from '../speech/ports.ts'
import type { ChunkTranscript, Transcript } from '../speech/transcript.ts'
import { hearLanguages, type WithLanguage } from './hear-languages.ts'
import { mergeTranscripts, type PlacedTranscript } from './merge-transcripts.ts'
import type { PlanSettings } from './plan-chunks.ts'
import { transcriptInScript } from './script/write-in-script.ts'
import { type SpeechChunk, splitFile } from './split-file.ts'

export type FileTranscriberParts = {
  readonly detector: VoiceDetector
  readonly identifier: LanguageIdentifier
  readonly transcriber: ChunkTranscriber
}

export type FileOptions = {
  readonly languages: readonly Language[]
  /** The caller's word on what is spoken. */
  readonly language?: Language
  readonly script?: Script
  /** Chunks recognised together. */
  readonly batchSize: number
  /** Batches under way at once. */
  readonly batchesAtOnce?: number
  readonly plan?: PlanSettings
  /** Listen also where something sounds and nobody speaks. */
  readonly withSounds?: boolean
  readonly pauseMs?: number
  /** Called after each batch with the place in the file up to which everything is done. */
  readonly onProgress?: (doneMs: number) => void
  readonly signal?: AbortSignal
}

export type ChunkFailure = { readonly startMs: number; readonly endMs: number; readonly error: Error }
export type FileTranscript = { readonly transcript: Transcript; readonly failures: readonly ChunkFailure[] }

/** Two keep two cores busy while languages are told; a third waits for whichever is done first. */
const BATCHES_AT_ONCE = 3

type HeardChunk = WithLanguage<SpeechChunk>
type Done = { readonly chunk: HeardChunk; readonly outcome: Outcome<ChunkTranscript> }

/** The whole way in one process: decoded sound → chunks of speech → text, in the memory of the chunks at work. */
export async function transcribeFile(
  parts: FileTranscriberParts,
  sound: AsyncIterable<AudioBlock>,
  options: FileOptions,
): Promise<FileTranscript> {
  const { signal, withSounds = false } = options
  const plan = options.plan && { plan: options.plan }
  const split = splitFile(parts.detector, sound, { signal, withSounds, ...plan })
  const languages = options.language ? [options.language] : options.languages
  const batches = inBatches(hearLanguages(split, parts.identifier, languages, signal), options.batchSize)
  const done: Done[] = []
  await inParallel(batches, options.batchesAtOnce ?? BATCHES_AT_ONCE, async (batch) => {
    done.push(...(await recognise(parts.transcriber, batch, options)))
    options.onProgress?.(Math.max(...batch.map(({ endMs }) => endMs)))
  })
  const pause = options.pauseMs === undefined ? {} : { pauseMs: options.pauseMs }
  const merged = await mergeTranscripts(done.flatMap(placed), { durationMs: split.durationMs, ...pause })
  return { transcript: transcriptInScript(merged, options.script ?? 'native'), failures: done.flatMap(failed) }
}

async function recognise(transcriber: ChunkTranscriber, batch: readonly HeardChunk[], options: FileOptions) {
  const { language, languages, signal } = options
  const requests = batch.map(({ samples, languageScores, channelBalance }) => ({
    samples,
    languages,
    languageScores,
    ...(channelBalance && { balance: channelBalance }),
    ...(language && { language }),
  }))
  const outcomes = await transcriber.transcribe(requests, signal)
  return batch.flatMap((chunk, at): Done[] => {
    const outcome = outcomes[at]
    // The samples have served: keeping them would hold the whole file.
    return outcome ? [{ chunk: { ...chunk, samples: new Float32Array(0) }, outcome }] : []
  })
}

const placed = ({ chunk, outcome }: Done): PlacedTranscript[] =>
  outcome.ok
    ? [{ startMs: chunk.startMs, endMs: chunk.endMs, overlapMs: chunk.overlapMs, transcript: outcome.value }]
    : []

const failed = ({ chunk, outcome }: Done): ChunkFailure[] =>
  outcome.ok ? [] : [{ startMs: chunk.startMs, endMs: chunk.endMs, error: outcome.error }]

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Takes the next item only when fewer than `limit` are at work; the first failure ends it all. */
async function inParallel<T>(items: AsyncIterable<T>, limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    const job: Promise<void> = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(job))
    running.add(job)
    if (running.size >= limit) await Promise.race(running)
    if (failures.length > 0) break
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
