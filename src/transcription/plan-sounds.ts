import type { Span } from './plan-chunks.ts'
import { VOICE_WINDOW_MS } from './plan-chunks.ts'

/** Below the first nothing is worth naming; what stands out of the recording's own noise by less than the second neither. */
const [QUIETEST_DB, STANDS_OUT_DB] = [-50, 10]
/** Noise that goes on becomes the recording's own: so the hum of a room is listened to once, not for an hour. */
const [LOWEST_FLOOR_DB, FLOOR_RISE_DB] = [-60, VOICE_WINDOW_MS / 1000]
/** A cough is loud for so long; who laughs, coughs or cries takes such a breath, and is named by the whole of it. */
const [LEAST_LOUD_MS, LONGEST_GAP_MS] = [300, 1500]
const LONGEST_MS = 10_000
const MARGIN_MS = 100
/** What the chunk of the speech before and after already hears. */
const SPEECH_PAD_MS = 200
/** Naming costs time: so much sound is listened to in any recording, and of a longer one this share. */
const [FREE_MS, SHARE] = [6_000, 0.05]
/** Of a sound that is longer than that leaves time for, the beginning is listened to. */
const LEAST_BEGINNING_MS = 1_000

export type HeardWindow = { readonly startMs: number; readonly levelDb: number; readonly isSpeech: boolean }

type OpenSound = { readonly startMs: number; loudUntilMs: number; loudMs: number }

/** Decides, window by window, which stretches without speech sound enough to be named: laughter after a joke, applause, a cough. */
export class SoundPlanner {
  #floorDb = LOWEST_FLOOR_DB
  #freeFromMs = 0
  #nowMs = 0
  #listenedMs = 0
  #open: OpenSound | undefined

  /** Sound before this will be in no stretch that is still to come. */
  get neededFromMs(): number {
    return Math.max(0, (this.#open?.startMs ?? this.#nowMs) - MARGIN_MS)
  }

  /** The next window of the recording; answers with the stretch that is complete with it, if one is. */
  push({ startMs, levelDb, isSpeech }: HeardWindow): Span | undefined {
    this.#nowMs = startMs + VOICE_WINDOW_MS
    this.#floorDb = Math.max(LOWEST_FLOOR_DB, Math.min(levelDb, this.#floorDb + FLOOR_RISE_DB))
    if (isSpeech) {
      const found = this.#close(startMs - SPEECH_PAD_MS)
      this.#freeFromMs = this.#nowMs
      return found
    }
    if (levelDb >= Math.max(QUIETEST_DB, this.#floorDb + STANDS_OUT_DB)) {
      this.#open ??= { startMs, loudUntilMs: startMs, loudMs: 0 }
      this.#open.loudUntilMs = this.#nowMs
      this.#open.loudMs += VOICE_WINDOW_MS
    }
    if (!this.#open) return undefined
    const isOver = this.#nowMs - this.#open.loudUntilMs >= LONGEST_GAP_MS
    return isOver || this.#nowMs - this.#open.startMs >= LONGEST_MS ? this.#close(this.#nowMs) : undefined
  }

  /** The recording ends here. */
  end(totalMs: number): Span | undefined {
    this.#nowMs = totalMs
    return this.#close(totalMs)
  }

  #close(latestMs: number): Span | undefined {
    const open = this.#open
    this.#open = undefined
    if (!open || open.loudMs < LEAST_LOUD_MS) return undefined
    const startMs = Math.max(this.#freeFromMs, open.startMs - MARGIN_MS)
    const lengthMs = Math.min(latestMs, open.loudUntilMs + MARGIN_MS) - startMs
    const affordableMs = FREE_MS + MARGIN_MS + SHARE * this.#nowMs - this.#listenedMs
    if (lengthMs < LEAST_LOUD_MS || affordableMs < Math.min(lengthMs, LEAST_BEGINNING_MS)) return undefined
    const endMs = startMs + Math.min(lengthMs, affordableMs)
    this.#listenedMs += endMs - startMs
    this.#freeFromMs = endMs
    return [startMs, endMs]
  }
}
