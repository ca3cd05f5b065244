import type { EngineHost } from '../host/engine-host.ts'
import type { JudgedPiece, SileroAnswer, SileroRequest, StreamPiece } from './silero-state.ts'

/** Streams in one request: beyond this a run is no cheaper per stream, and everybody in it waits for all of it. */
const MOST_TOGETHER = 64

type Waiting = {
  readonly piece: StreamPiece
  readonly resolve: (judged: JudgedPiece) => void
  readonly reject: (error: unknown) => void
}

/**
 * Puts together what several streams have to ask: one request is under way at a time, and what comes meanwhile goes
 * into the next. With few streams nobody waits; with many a message and a run of the network serve all of them.
 */
export class SideBySide {
  readonly #host: EngineHost<SileroRequest, SileroAnswer>
  readonly #isLive: boolean
  #waiting: Waiting[] = []
  #isAsking = false

  constructor(host: EngineHost<SileroRequest, SileroAnswer>, isLive: boolean) {
    this.#host = host
    this.#isLive = isLive
  }

  judge(piece: StreamPiece): Promise<JudgedPiece> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ piece, resolve, reject })
      if (!this.#isAsking) void this.#askAll()
    })
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length > 0) await this.#ask(this.#waiting.splice(0, MOST_TOGETHER))
    this.#isAsking = false
  }

  async #ask(together: readonly Waiting[]): Promise<void> {
    try {
      const request = together.map(({ piece }) => piece)
      const answers = await this.#host.request(request, undefined, this.#isLive)
      together.forEach(({ resolve, reject }, at) => {
        const judged = answers[at]
        if (judged) resolve(judged)
        else reject(new Error('silero gave no answer'))
      })
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }
}
