/** The networks behind a Whisper model. Tokens go in and come out as places: the model's vocabulary may be cut. */
export interface WhisperGraph {
  readonly melBands: number
  /** Most mel frames one window may have. */
  readonly maxFrames: number
  /** Tokens a decoder can hold, its prompt included. */
  readonly maxTokens: number
  readonly stateSize: number
  /** Which published token each place stands for. */
  readonly tokensOfPlaces: Int32Array
  /** `frames / 2` states of one window of an even number of frames. */
  encode(mel: Float32Array, frames: number): Promise<Float32Array>
  /** One row for each clip's states; rows may differ in length. */
  startDecoder(states: readonly Float32Array[]): Promise<WhisperDecoder>
}

/** One decode of several clips in step. Logits hold one vocabulary per row, in the order of the rows. */
export interface WhisperDecoder {
  /** Places for every row, as many for each; gives what may come after the last. */
  step(places: readonly (readonly number[])[]): Promise<Float32Array>
  /** Forgets a row; the last row takes its place. */
  drop(row: number): void
}
