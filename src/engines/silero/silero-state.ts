/** One window is 32 ms: the only size the 16 kHz network was trained on. */
export const WINDOW_SAMPLES = 512
/** The tail of the window before, which the network sees again. */
export const CONTEXT_SAMPLES = 64
export const HIDDEN_SHAPE = [2, 1, 128] as const

/** What the network remembers between two windows. It travels with each request, so that a new process can go on. */
export type SileroState = { readonly hidden: Float32Array; readonly context: Float32Array }

export const emptyState = (): SileroState => ({
  hidden: new Float32Array(HIDDEN_SHAPE[0] * HIDDEN_SHAPE[1] * HIDDEN_SHAPE[2]),
  context: new Float32Array(CONTEXT_SAMPLES),
})

export type SileroSettings = { readonly model: string }
/** `samples` is a whole number of windows. */
export type SileroRequest = { readonly samples: Float32Array; readonly state: SileroState }
export type SileroAnswer = { readonly probabilities: Float32Array; readonly state: SileroState }
