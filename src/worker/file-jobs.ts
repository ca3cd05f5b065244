import { setTimeout as delay } from 'node:timers/promises'
import { encodeWav } from '../audio/wav.ts'
import { claimFile, type FileClaim } from '../batches/claim-job.ts'
import { endFile } from '../batches/end-file.ts'
import { addChunks, type CutChunk, endFanOut } from '../batches/fan-out.ts'
import { chunkAudioKey } from '../batches/job-objects.ts'
import { isRetryable } from '../platform/errors.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import type { Language, LanguageScores } from '../speech/language.ts'
import type { Samples } from '../speech/ports.ts'
import { mergeFile } from './merge-file.ts'
import { type ClaimedDeps, runClaimed } from './run-claimed.ts'

export type AudioPiece = {
  readonly samples: Samples
  readonly startMs: number
  readonly endMs: number
  /** How much of its start the piece before also holds. */
  readonly overlapMs: number
  readonly languageScores?: LanguageScores
  readonly channelBalance?: Float32Array
}

export type SplitOptions = {
  readonly signal: AbortSignal
  /** What the caller says is spoken. */
  readonly language?: Language
}

/** Decodes and cuts at silences, as a stream. Gives the length of the whole at its end. */
export type SplitAudio = (
  audio: AsyncIterable<Uint8Array>,
  options: SplitOptions,
) => AsyncGenerator<AudioPiece, { readonly durationMs: number }>

export type FetchAudio = (url: string, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>

export type FileJobDeps = ClaimedDeps & {
  readonly blobs: BlobStore
  readonly splitAudio: SplitAudio
  readonly fetchAudio: FetchAudio
  readonly keepObjects: boolean
  readonly pauseMs: number
}

/** Chunks are sent off in groups: few transactions, and the first are recognised while the rest is still being cut. */
const GROUP = 8

/** Once chunks are out a fault fails the file, so a storage that stumbles gets a moment first. */
const PUT_RETRIES_MS = [500, 2000, 5000]

/** A file job is run twice: to be cut, and when its chunks have ended to be merged. */
export async function runFileJob(
  deps: FileJobDeps,
  jobId: string,
  workerId: string,
  signal: AbortSignal,
): Promise<void> {
  const claim = await claimFile(deps.db, jobId, workerId)
  if (!claim) return
  const fail = (fault: { code: string; message: string }) => endFile(deps.db, claim, { move: 'fail', fault }, deps)
  if (claim.phase === 'merge') {
    await runClaimed(deps, { kind: 'file', claim, work: () => mergeFile(deps, claim), fail }, signal)
    return
  }
  const fanOut = new FanOut(deps, claim, signal)
  const job = { kind: 'file', claim, fail, work: () => fanOut.run(), mayRetry: () => !fanOut.hasSent } as const
  await runClaimed(deps, job, signal)
}

/** One cutting of one file. */
class FanOut {
  readonly #deps: FileJobDeps
  readonly #claim: FileClaim
  readonly #signal: AbortSignal
  #ready: CutChunk[] = []
  #sent = 0

  constructor(deps: FileJobDeps, claim: FileClaim, signal: AbortSignal) {
    this.#deps = deps
    this.#claim = claim
    this.#signal = signal
  }

  get hasSent(): boolean {
    return this.#sent > 0
  }

  async run(): Promise<void> {
    const { language } = this.#claim.options
    const options = { signal: this.#signal, ...(language && { language }) }
    const pieces = this.#deps.splitAudio(await this.#open(), options)
    try {
      for (let index = 0; ; index++) {
        const step = await pieces.next()
        if (step.done) return await this.#end(step.value.durationMs)
        await this.#store(index, step.value)
        if (this.#ready.length >= GROUP && !(await this.#send())) return
      }
    } finally {
      await pieces.return({ durationMs: 0 })
    }
  }

  async #open(): Promise<AsyncIterable<Uint8Array>> {
    const { source } = this.#claim
    if ('key' in source) return this.#deps.blobs.get(source.key, this.#signal)
    return this.#deps.fetchAudio(source.url, this.#signal)
  }

  async #store(index: number, { samples, ...place }: AudioPiece): Promise<void> {
    const key = chunkAudioKey({ ...this.#claim, fileJobId: this.#claim.jobId }, index)
    const wav = encodeWav(samples)
    for (const waitMs of [...PUT_RETRIES_MS, undefined]) {
      try {
        await this.#deps.blobs.put(key, once(wav), this.#signal)
        break
      } catch (error) {
        if (waitMs === undefined || !isRetryable(error) || this.#signal.aborted) throw error
        await delay(waitMs, undefined, { signal: this.#signal })
      }
    }
    this.#ready.push({ index, ...place })
  }

  /** False: another worker has this file now. */
  async #send(): Promise<boolean> {
    const group = this.#ready
    this.#ready = []
    if (group.length === 0) return true
    const isOurs = await addChunks(this.#deps.db, this.#claim, group)
    if (isOurs) this.#sent += group.length
    return isOurs
  }

  async #end(durationMs: number): Promise<void> {
    if (await this.#send()) await endFanOut(this.#deps.db, this.#claim, { chunks: this.#sent, durationMs })
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
