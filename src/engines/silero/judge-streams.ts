import { type InferenceSession, Tensor } from 'onnxruntime-node'
import {
  CONTEXT_SAMPLES,
  type JudgedPiece,
  LAYER_SIZE,
  LAYERS,
  type SileroAnswer,
  type SileroRequest,
  type StreamPiece,
  WINDOW_SAMPLES,
} from './silero-state.ts'

const SAMPLE_RATE = new Tensor('int64', BigInt64Array.of(16_000n), [])
const INPUT_SAMPLES = CONTEXT_SAMPLES + WINDOW_SAMPLES

/** A stream on its way through the request. */
type Row = { readonly piece: StreamPiece; readonly probabilities: Float32Array; hidden: Float32Array }

/** One run of the network for the next window of every stream that has one: four streams together cost as much as two alone. */
export async function judgeStreams(
  session: InferenceSession,
  pieces: SileroRequest,
  signal: AbortSignal,
): Promise<SileroAnswer> {
  const rows = pieces.map(
    (piece): Row => ({
      piece,
      probabilities: new Float32Array(Math.floor(piece.samples.length / WINDOW_SAMPLES)),
      hidden: piece.state.hidden,
    }),
  )
  const windows = Math.max(0, ...rows.map(({ probabilities }) => probabilities.length))
  for (let window = 0; window < windows; window++) {
    if (signal.aborted) throw signal.reason
    const present = rows.filter(({ probabilities }) => window < probabilities.length)
    await judgeWindow(session, present, window)
  }
  return rows.map(judged)
}

async function judgeWindow(session: InferenceSession, rows: readonly Row[], window: number): Promise<void> {
  const input = new Float32Array(rows.length * INPUT_SAMPLES)
  const state = new Float32Array(LAYERS * rows.length * LAYER_SIZE)
  rows.forEach(({ piece, hidden }, row) => {
    input.set(heardBefore(piece, window), row * INPUT_SAMPLES)
    const samples = piece.samples.subarray(window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES)
    input.set(samples, row * INPUT_SAMPLES + CONTEXT_SAMPLES)
    for (let layer = 0; layer < LAYERS; layer++) {
      const own = hidden.subarray(layer * LAYER_SIZE, (layer + 1) * LAYER_SIZE)
      state.set(own, (layer * rows.length + row) * LAYER_SIZE)
    }
  })
  const { output, stateN } = await session.run({
    input: new Tensor('float32', input, [rows.length, INPUT_SAMPLES]),
    state: new Tensor('float32', state, [LAYERS, rows.length, LAYER_SIZE]),
    sr: SAMPLE_RATE,
  })
  // The network's signature: both outputs are float tensors.
  const [probabilities, after] = [output?.data as Float32Array, stateN?.data as Float32Array]
  rows.forEach((each, row) => {
    each.probabilities[window] = probabilities[row] ?? 0
    each.hidden = remembered(after, row, rows.length)
  })
}

function heardBefore({ samples, state }: StreamPiece, window: number): Float32Array {
  if (window === 0) return state.context
  return samples.subarray(window * WINDOW_SAMPLES - CONTEXT_SAMPLES, window * WINDOW_SAMPLES)
}

function remembered(after: Float32Array, row: number, rows: number): Float32Array {
  const hidden = new Float32Array(LAYERS * LAYER_SIZE)
  for (let layer = 0; layer < LAYERS; layer++) {
    const from = (layer * rows + row) * LAYER_SIZE
    hidden.set(after.subarray(from, from + LAYER_SIZE), layer * LAYER_SIZE)
  }
  return hidden
}

const judged = ({ piece, probabilities, hidden }: Row): JudgedPiece => ({
  probabilities,
  state: { hidden, context: heardBefore(piece, probabilities.length).slice() },
})
