import { SAMPLE_RATE_HZ } from './pcm.ts'

export type Heard = { readonly itemId: string; readonly contentIndex: number; readonly playedMs: number }

type Piece = {
  readonly itemId: string
  readonly contentIndex: number
  readonly startsAt: number
  readonly endsAt: number
  /** Where the piece begins in its item. */
  readonly offset: number
}

/** Pieces a little late are better than pieces that crackle. */
const LEAD_SECONDS = 0.05

/** Which sound is heard at which moment of an audio context: pieces play one after the other. Times are its seconds. */
export class PlaybackClock {
  #pieces: Piece[] = []

  /** When to start this piece. */
  add(itemId: string, contentIndex: number, samples: number, now: number): number {
    const last = this.#pieces.at(-1)
    const startsAt = Math.max(now + LEAD_SECONDS, last?.endsAt ?? 0)
    const before = this.#pieces.findLast((piece) => piece.itemId === itemId && piece.contentIndex === contentIndex)
    const offset = before ? before.offset + before.endsAt - before.startsAt : 0
    const endsAt = startsAt + samples / SAMPLE_RATE_HZ
    // The newest piece of an item stays, to know where its next begins; older ones that were heard are not asked for again.
    this.#pieces = this.#pieces.filter((piece) => piece.endsAt > now || piece === before)
    this.#pieces.push({ itemId, contentIndex, startsAt, endsAt, offset })
    return startsAt
  }

  isPlaying(now: number): boolean {
    return (this.#pieces.at(-1)?.endsAt ?? 0) > now
  }

  /** What has been heard of the item that plays now, or plays next; undefined when all has been heard. */
  heard(now: number): Heard | undefined {
    const piece = this.#pieces.find(({ endsAt }) => endsAt > now)
    if (!piece) return undefined
    const { itemId, contentIndex, startsAt, offset } = piece
    return { itemId, contentIndex, playedMs: Math.round((offset + Math.max(0, now - startsAt)) * 1000) }
  }

  clear(): void {
    this.#pieces = []
  }
}
