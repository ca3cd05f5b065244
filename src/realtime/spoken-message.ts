import type { Synthesizer } from '../speech/ports.ts'
import { speakableText } from '../speech/speakable-text.ts'
import { AudioOutput, bytesPerMs, durationMsOf } from './audio-format.ts'
import { type AudioPart, newAudioPart, newMessage } from './conversation-item.ts'
import type { MessageOutput } from './message-output.ts'
import { OutputItem } from './output-item.ts'
import type { ResponseContext } from './response-context.ts'
import { SentenceStream, speakablePieces } from './sentence-stream.ts'

export type Mouth = {
  readonly synthesizer: Synthesizer
  /** Id of the voice, no alias. */
  readonly voice: string
  /** Undefined: the client keeps up; else resolves when it has. */
  readonly keepsUp: () => Promise<void> | undefined
  readonly signal: AbortSignal
  readonly onSound: () => void
}

/** The first sound leaves early; later pieces are larger, for fewer frames. */
const FIRST_DELTA_MS = 40
const DELTA_MS = 200

/** A message that is spoken as it is written: sentence by sentence, each transcript just before its sound. */
export class SpokenMessage implements MessageOutput {
  readonly #context: ResponseContext
  readonly #nextIndex: () => number
  readonly #mouth: Mouth
  readonly #pieces = speakablePieces(speakableText(), new SentenceStream())
  readonly #sound: AudioOutput
  readonly #part: AudioPart
  #output: OutputItem | undefined
  #transcript = ''
  /** Sound that was made, sent or not; marks count on it. */
  #madeMs = 0
  #rest: Uint8Array = new Uint8Array(0)
  #isOpen = true
  /** Sentences are spoken one after the other. */
  #speaking: Promise<void> = Promise.resolve()

  constructor(context: ResponseContext, nextIndex: () => number, mouth: Mouth) {
    this.#context = context
    this.#nextIndex = nextIndex
    this.#mouth = mouth
    this.#sound = new AudioOutput(context.config.outputFormat)
    this.#part = { ...newAudioPart(context.config.outputFormat, [], 0), transcript: '' }
  }

  get hasBegun(): boolean {
    return this.#output !== undefined
  }

  write(text: string): void {
    for (const piece of this.#pieces.push(text)) this.#queue(piece)
  }

  async finish(): Promise<void> {
    for (const piece of this.#pieces.end()) this.#queue(piece)
    await this.#speaking
    if (!this.#isOpen) return
    if (this.#output) await this.#send(this.#sound.end(), true)
    this.#end('completed')
  }

  breakOff(): void {
    this.#end('incomplete')
  }

  #queue(text: string): void {
    this.#speaking = this.#speaking.then(() => this.#speak(text))
    // `finish` hears of a failure; until then it is nobody's surprise.
    this.#speaking.catch(() => undefined)
  }

  async #speak(text: string): Promise<void> {
    if (!this.#isOpen) return
    this.#output ??= this.#begin()
    this.#transcript += text
    if (!this.#part.isCut) this.#part.transcript = this.#transcript
    this.#context.emit({ kind: 'transcript.delta', ...this.#output.place, delta: text })
    if (!/[\p{L}\p{N}]/u.test(text)) return
    const { synthesizer, voice, signal } = this.#mouth
    const { marks } = this.#part
    const at = marks.length
    const request = { text: text.trim(), voice, speed: this.#context.config.speed }
    for await (const piece of synthesizer.synthesize(request, signal)) {
      if (!this.#isOpen) return
      this.#madeMs += (piece.samples.length / piece.sampleRateHz) * 1_000
      // The sentence ends, as far as is known now, where its sound does.
      marks[at] = { text, endMs: this.#madeMs }
      await this.#send(this.#sound.push(piece))
    }
  }

  /** Pieces of 40 to 200 ms; a shorter rest waits for what follows it. */
  async #send(bytes: Uint8Array, isLast = false): Promise<void> {
    const { format } = this.#part
    const all = Buffer.concat([this.#rest, bytes])
    const leastBytes = isLast ? 1 : FIRST_DELTA_MS * bytesPerMs(format)
    let at = 0
    while (all.length - at >= leastBytes) {
      await this.#mouth.keepsUp()
      if (!this.#isOpen) return
      const lengthMs = this.#part.durationMs === 0 ? FIRST_DELTA_MS : DELTA_MS
      const delta = all.subarray(at, at + lengthMs * bytesPerMs(format))
      at += delta.length
      this.#sendDelta(delta)
    }
    this.#rest = all.subarray(at)
  }

  #sendDelta(delta: Uint8Array): void {
    if (!this.#output) return
    if (!this.#part.isCut) {
      this.#part.audio?.push(delta)
      this.#part.durationMs += durationMsOf(this.#part.format, delta.length)
    }
    this.#mouth.onSound()
    this.#context.emit({ kind: 'audio.delta', ...this.#output.place, audio: delta })
  }

  #begin(): OutputItem {
    const item = newMessage('assistant', [], { status: 'in_progress' })
    const output = new OutputItem(this.#context, this.#nextIndex(), item)
    item.content.push(this.#part)
    this.#context.emit({ kind: 'part.added', ...output.place, part: { kind: 'audio', text: '' } })
    return output
  }

  #end(status: 'completed' | 'incomplete'): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (!this.#output) return
    const { place } = this.#output
    this.#context.emit({ kind: 'audio.done', ...place })
    this.#context.emit({ kind: 'transcript.done', ...place, text: this.#transcript })
    this.#context.emit({ kind: 'part.done', ...place, part: { kind: 'audio', text: this.#transcript } })
    this.#output.done(status)
  }
}
