/** The slice of the package we use; it ships no types. */
declare module 'sherpa-onnx-node' {
  type Waveform = { readonly samples: Float32Array; readonly sampleRate: number }
  type OfflineResult = {
    readonly text: string
    readonly timestamps?: readonly number[]
    readonly tokens?: readonly string[]
    readonly ys_log_probs?: readonly number[]
  }
  class OfflineStream {
    acceptWaveform(wave: Waveform): void
  }
  class OfflineRecognizer {
    static createAsync(config: unknown): Promise<OfflineRecognizer>
    createStream(): OfflineStream
    decodeAsync(stream: OfflineStream): Promise<OfflineResult>
  }
  class OnlineStream {
    acceptWaveform(wave: Waveform): void
    inputFinished(): void
  }
  class OfflineSpeakerDiarization {
    constructor(config: unknown)
    process(
      samples: Float32Array,
    ): readonly { readonly start: number; readonly end: number; readonly speaker: number }[]
  }
  class SpeakerEmbeddingExtractor {
    constructor(config: unknown)
    createStream(): OnlineStream
    compute(stream: OnlineStream, hasExternalBuffer: boolean): Float32Array
  }
  class AudioTagging {
    constructor(config: unknown)
    createStream(): OfflineStream
    compute(stream: OfflineStream, topK: number): readonly { readonly name: string; readonly prob: number }[]
  }
  /** CommonJS: its exports are not visible by name. */
  const sherpa: {
    readonly OfflineRecognizer: typeof OfflineRecognizer
    readonly AudioTagging: typeof AudioTagging
    readonly OfflineSpeakerDiarization: typeof OfflineSpeakerDiarization
    readonly SpeakerEmbeddingExtractor: typeof SpeakerEmbeddingExtractor
  }
  export = sherpa
}
