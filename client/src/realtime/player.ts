import { levelOf, SAMPLE_RATE_HZ, toFloats } from './pcm.ts'
import { type Heard, PlaybackClock } from './playback-clock.ts'

/** Plays the sound of a session in a browser, and knows what of it was heard. Make it in a click: browsers want one before sound. */
export class Player {
  readonly #context: AudioContext
  readonly #gain: GainNode
  readonly #clock = new PlaybackClock()
  readonly #sources = new Set<AudioBufferSourceNode>()
  readonly #analyser: AnalyserNode

  constructor(context: AudioContext = new AudioContext({ sampleRate: SAMPLE_RATE_HZ })) {
    this.#context = context
    this.#gain = context.createGain()
    this.#analyser = context.createAnalyser()
    this.#analyser.fftSize = 512
    this.#gain.connect(this.#analyser).connect(context.destination)
  }

  get isPlaying(): boolean {
    return this.#clock.isPlaying(this.#context.currentTime)
  }

  /** How loud it is now, from 0 to 1. */
  get level(): number {
    const samples = new Float32Array(this.#analyser.fftSize)
    this.#analyser.getFloatTimeDomainData(samples)
    return levelOf(Int16Array.from(samples, (sample) => sample * 32_767))
  }

  set volume(volume: number) {
    this.#gain.gain.value = volume
  }

  /** Browsers start contexts suspended until the user has done something. */
  resume(): Promise<void> {
    return this.#context.resume()
  }

  play(itemId: string, contentIndex: number, pcm: Int16Array): void {
    if (pcm.length === 0) return
    const buffer = this.#context.createBuffer(1, pcm.length, SAMPLE_RATE_HZ)
    buffer.copyToChannel(toFloats(pcm), 0)
    const source = this.#context.createBufferSource()
    source.buffer = buffer
    source.connect(this.#gain)
    source.onended = () => void this.#sources.delete(source)
    this.#sources.add(source)
    source.start(this.#clock.add(itemId, contentIndex, pcm.length, this.#context.currentTime))
  }

  /** Falls silent at once; what was heard of the item that was cut, if one was. */
  interrupt(): Heard | undefined {
    const heard = this.#clock.heard(this.#context.currentTime)
    for (const source of this.#sources) source.stop()
    this.#sources.clear()
    this.#clock.clear()
    return heard
  }

  async close(): Promise<void> {
    this.interrupt()
    await this.#context.close()
  }
}
