import { LipikError } from '../platform/errors.ts'
import type { Logger } from '../platform/log.ts'
import type { ChunkTranscriber } from '../speech/ports.ts'
import { AudioInput } from './audio-format.ts'
import type { Conversation } from './conversation.ts'
import type { AudioPart, Item, MessageItem } from './conversation-item.ts'
import { type HeardTurn, openTurnHearing, type TurnHearing } from './hear-turn.ts'
import type { Emit } from './server-event.ts'
import type { Transcription } from './session-config.ts'
import type { Ear } from './turns.ts'

export type TranscriptsDeps = {
  readonly transcriber: ChunkTranscriber
  readonly languages: readonly string[]
  readonly conversation: Conversation
  readonly emit: Emit
  readonly log: Logger
}

/** More than this cannot wait to be heard in one session: its sound would wait in memory. */
const MOST_PENDING = 16

/** What is being heard, item by item. Whoever thinks about a conversation waits here until it is known what was said. */
export class Transcripts {
  readonly #deps: TranscriptsDeps
  readonly #pending = new Map<string, Promise<unknown>>()
  readonly #hearings = new Set<TurnHearing>()

  constructor(deps: TranscriptsDeps) {
    this.#deps = deps
  }

  /** Hears before there is an item: deltas wait until one listens. Who opened it cancels it, unless it is followed. */
  openEar(transcription: Transcription | null): Ear {
    const { transcriber, languages } = this.#deps
    const held: string[] = []
    let listener: ((text: string) => void) | undefined
    const language = transcription?.language?.slice(0, 2)
    const hearing = openTurnHearing({
      transcriber,
      languages,
      ...(language && languages.includes(language) && { language }),
      onDelta: (text) => (listener ? listener(text) : held.push(text)),
    })
    const onDelta = (listen: (text: string) => void) => {
      listener = listen
      for (const text of held.splice(0)) listen(text)
    }
    return { hearing, onDelta }
  }

  /** The item is in the conversation and told of: its text may follow. Nothing is told where nobody asked for it. */
  follow(item: MessageItem, contentIndex: number, ear: Ear, transcription: Transcription | null): void {
    const part = item.content[contentIndex]
    if (part?.kind !== 'audio') return
    const { emit } = this.#deps
    const place = { itemId: item.id, contentIndex }
    const isTold = () => transcription !== null && this.#deps.conversation.get(item.id) === item
    ear.onDelta((delta) => {
      if (isTold()) emit({ kind: 'transcription.delta', ...place, delta })
    })
    const hasRoom = this.#pending.size < MOST_PENDING
    if (!hasRoom) ear.hearing.cancel()
    this.#hearings.add(ear.hearing)
    const heard = (hasRoom ? ear.hearing.finish() : tooMuch()).then(
      (turn) => {
        keep(item, part, turn)
        const { text: transcript, durationMs } = turn
        if (isTold()) emit({ kind: 'transcription.completed', ...place, transcript, durationMs })
      },
      (error: unknown) => {
        this.#deps.log.warn({ error }, 'a turn could not be heard')
        if (isTold()) emit({ kind: 'transcription.failed', ...place, error: failureOf(error) })
        throw error
      },
    )
    const settled = heard.finally(() => {
      this.#hearings.delete(ear.hearing)
      this.#pending.delete(item.id)
    })
    // Whoever waits hears of the failure; if nobody does it has been told already.
    settled.catch(() => undefined)
    this.#pending.set(item.id, settled)
  }

  /** Sound that came inside an item, rather than through the buffer. */
  followItem(item: MessageItem, transcription: Transcription | null): void {
    for (const [at, part] of item.content.entries()) {
      if (part.kind !== 'audio' || part.transcript !== null || !part.audio) continue
      const ear = this.openEar(transcription)
      const input = new AudioInput(part.format)
      for (const piece of part.audio) ear.hearing.push(input.push(piece))
      this.follow(item, at, ear, transcription)
    }
  }

  /** Resolves when these items have been heard; an older one that could not be heard is left out, the newest is needed. */
  async heard(items: readonly Item[], signal: AbortSignal): Promise<void> {
    const newest = items.findLast((item) => item.kind === 'message' && item.role === 'user')
    const waits = items.map(async ({ id }) => {
      const pending = this.#pending.get(id)
      await (id === newest?.id ? pending : pending?.catch(() => undefined))
    })
    await untilAborted(Promise.all(waits), signal)
  }

  close(): void {
    for (const hearing of this.#hearings) hearing.cancel()
    this.#hearings.clear()
  }
}

const tooMuch = (): Promise<HeardTurn> =>
  Promise.reject(new LipikError('engine_busy', `${MOST_PENDING} turns wait to be heard already`))

function keep(item: MessageItem, part: AudioPart, { text, language }: HeardTurn): void {
  part.transcript = text
  if (language !== null) item.language = language
}

const failureOf = (error: unknown) => ({
  type: 'server_error',
  code: error instanceof LipikError ? error.code : 'server_error',
  message: error instanceof LipikError ? error.message : 'The audio could not be transcribed.',
  param: null,
})

/** Leaves as soon as it is told to; what it waited for goes on without it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let leave: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (leave) signal.removeEventListener('abort', leave)
  }
}
