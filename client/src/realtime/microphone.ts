import { MICROPHONE_WORKLET } from './microphone-worklet.ts'
import { createDownsampler, levelOf, SAMPLE_RATE_HZ, toPcm } from './pcm.ts'

export type MicrophoneOptions = {
  /** Called with some 40 ms of 24 kHz sound at a time. */
  readonly onAudio: (pcm: Int16Array<ArrayBuffer>) => void
  readonly deviceId?: string
  /** For pages whose policy forbids `blob:` scripts: the address of `MICROPHONE_WORKLET`, served as JavaScript. */
  readonly workletUrl?: string
}

/** The microphone of a browser, as the sound that a session takes. */
export class Microphone {
  readonly #stream: MediaStream
  readonly #context: AudioContext
  #level = 0
  #isMuted = false

  /** Asks the user, then listens until `close()`. Echo is cancelled, so that the service does not hear itself. */
  static async open(options: MicrophoneOptions): Promise<Microphone> {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: {
        channelCount: 1,
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
        ...(options.deviceId !== undefined && { deviceId: options.deviceId }),
      },
    })
    const { context, source } = openContext(stream)
    const microphone = new Microphone(stream, context)
    try {
      await microphone.#listen(source, options)
      return microphone
    } catch (error) {
      await microphone.close()
      throw error
    }
  }

  private constructor(stream: MediaStream, context: AudioContext) {
    this.#stream = stream
    this.#context = context
  }

  /** How loud it is now, from 0 to 1. */
  get level(): number {
    return this.#isMuted ? 0 : this.#level
  }

  get isMuted(): boolean {
    return this.#isMuted
  }

  /** Muted, silence is sent: the service goes on finding the ends of turns. */
  set isMuted(isMuted: boolean) {
    this.#isMuted = isMuted
    for (const track of this.#stream.getAudioTracks()) track.enabled = !isMuted
  }

  async #listen(source: MediaStreamAudioSourceNode, { onAudio, workletUrl }: MicrophoneOptions): Promise<void> {
    const script = workletUrl ?? URL.createObjectURL(new Blob([MICROPHONE_WORKLET], { type: 'text/javascript' }))
    await this.#context.audioWorklet.addModule(script)
    if (workletUrl === undefined) URL.revokeObjectURL(script)
    const node = new AudioWorkletNode(this.#context, 'lipik-microphone', { numberOfOutputs: 0, channelCount: 1 })
    const toSessionRate =
      this.#context.sampleRate === SAMPLE_RATE_HZ
        ? (samples: Float32Array) => samples
        : createDownsampler(this.#context.sampleRate)
    node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
      const pcm = toPcm(toSessionRate(data))
      this.#level = levelOf(pcm)
      onAudio(pcm)
    }
    source.connect(node)
    await this.#context.resume()
  }

  async close(): Promise<void> {
    for (const track of this.#stream.getTracks()) track.stop()
    if (this.#context.state !== 'closed') await this.#context.close()
  }
}

/** Some browsers refuse to connect a microphone to a context of another rate; there we convert ourselves. */
function openContext(stream: MediaStream) {
  const wanted = new AudioContext({ sampleRate: SAMPLE_RATE_HZ })
  try {
    return { context: wanted, source: wanted.createMediaStreamSource(stream) }
  } catch {
    void wanted.close()
    const context = new AudioContext()
    return { context, source: context.createMediaStreamSource(stream) }
  }
}
