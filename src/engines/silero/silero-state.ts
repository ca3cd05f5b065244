/** One window is 32 ms: the only size the 16 kHz network was trained on. */
export const WINDOW_SAMPLES = 512
/** The tail of the window before, which the network sees again. */
export const CONTEXT_SAMPLES = 64
/** The network remembers two layers of so many numbers for each stream. */
export const LAYERS = 2
export const LAYER_SIZE = 128

/** What the network remembers between two windows. It travels with each request, so that a new process can go on. */
export type SileroState = { readonly hidden: Float32Array; readonly context: Float32Array }

export const emptyState = (): SileroState => ({
  hidden: new Float32Array(LAYERS * LAYER_SIZE),
  context: new Float32Array(CONTEXT_SAMPLES),
})

export type SileroSettings = { readonly model: string }

/** The next sound of one stream: a whole number of windows. */
export type StreamPiece = { readonly samples: Float32Array; readonly state: SileroState }
export type JudgedPiece = { readonly probabilities: Float32Array; readonly state: SileroState }

/** Pieces of different streams, judged side by side; answers in their order. */
export type SileroRequest = readonly StreamPiece[]
export type SileroAnswer = readonly JudgedPiece[]
