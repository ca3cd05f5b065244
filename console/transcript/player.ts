import { signal } from '@preact/signals'
import { explain, lipik } from '../shared/session.ts'

export type AudioState = 'loading' | 'ready' | 'none' | 'unplayable'

/**
 * The sound of one file. It is fetched whole, because an audio element cannot send a token; the browser keeps it outside the
 * page's memory. Asked to play before it is there, it plays once it is.
 */
export class Player {
  readonly element = new Audio()
  readonly state = signal<AudioState>('loading')
  readonly seconds = signal(0)
  readonly isPlaying = signal(false)
  readonly #ending = new AbortController()
  #wanted: number | undefined
  #blob: Blob | undefined

  constructor(fileId: string) {
    const { element } = this
    element.preload = 'auto'
    const { signal: ended } = this.#ending
    const tell = () => {
      this.isPlaying.value = !element.paused
    }
    for (const name of ['play', 'pause', 'ended']) element.addEventListener(name, tell, { signal: ended })
    element.addEventListener('seeked', () => this.#tick(), { signal: ended })
    element.addEventListener('playing', () => this.#follow(), { signal: ended })
    element.addEventListener('error', () => this.#fail('unplayable'), { signal: ended })
    void this.#load(fileId)
  }

  /** What was fetched, for the waveform. */
  get blob(): Blob | undefined {
    return this.#blob
  }

  async #load(fileId: string): Promise<void> {
    try {
      const response = await lipik.files.audio(fileId, this.#ending.signal)
      this.#blob = await response.blob()
      this.element.src = URL.createObjectURL(this.#blob)
      this.state.value = 'ready'
      if (this.#wanted !== undefined) this.playFrom(this.#wanted)
    } catch (error) {
      if (this.#ending.signal.aborted) return
      explain(error)
      this.#fail('none')
    }
  }

  #fail(state: AudioState): void {
    if (!this.#ending.signal.aborted) this.state.value = state
  }

  playFrom(seconds: number): void {
    this.seconds.value = seconds
    this.#wanted = seconds
    if (this.state.value !== 'ready') return
    this.element.currentTime = seconds
    void this.element.play().catch(() => undefined)
  }

  toggle(): void {
    if (this.isPlaying.value) this.element.pause()
    else this.playFrom(this.element.ended ? 0 : this.seconds.value)
  }

  seek(seconds: number): void {
    this.seconds.value = seconds
    if (this.state.value === 'ready') this.element.currentTime = seconds
  }

  #tick(): void {
    this.seconds.value = this.element.currentTime
  }

  /** At each frame while it plays: an audio element itself tells the time four times a second, and words are shorter. */
  #follow(): void {
    this.#tick()
    if (!this.element.paused && !this.#ending.signal.aborted) requestAnimationFrame(() => this.#follow())
  }

  close(): void {
    this.#ending.abort()
    this.element.pause()
    if (this.element.src !== '') URL.revokeObjectURL(this.element.src)
  }
}
