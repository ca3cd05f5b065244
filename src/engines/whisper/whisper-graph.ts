import type { Attention } from './cross-attention.ts'

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

/** A token that goes on one of several texts of the same row. Entries count the row's tokens in the order they were given. */
export type Branch = { readonly place: number; readonly position: number; readonly sees: readonly number[] }

/** One decode of several clips in step. */
export interface WhisperDecoder {
  /** Places for every row, as many for each; gives what may come after the last: one vocabulary per row. */
  step(places: readonly (readonly number[])[]): Promise<Float32Array>
  /** Branches for every row, as many for each; gives what may come after each: row by row, branch by branch. */
  branch(rows: readonly (readonly Branch[])[]): Promise<Float32Array>
  /** Forgets a row; the last row takes its place. */
  drop(row: number): void
  /**
   * Where in the first `states` of the sound the tokens after these entries were found. `row` counts as at the start,
   * dropped rows included. Absent: the model has no heads that tell.
   */
  attention(row: number, entries: readonly number[], states: number): Attention | undefined
}
