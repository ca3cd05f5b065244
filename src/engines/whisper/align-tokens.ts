import type { Attention } from './cross-attention.ts'

/** States seen at once when single outliers are smoothed away: 140 ms. */
const MEDIAN_STATES = 7

/**
 * The state at which each token begins, by dynamic time warping: the path through the attention that only goes forward,
 * in tokens and in time, and meets the most weight.
 */
export function tokenStarts(attention: Attention): number[] {
  const { tokens, states } = attention
  if (tokens === 0 || states === 0) return []
  const from = warp(smoothed(attention), tokens, states)
  const starts = new Array<number>(tokens).fill(0)
  let [token, state] = [tokens - 1, states - 1]
  while (token > 0 || state > 0) {
    const step = from[token * states + state]
    if (step !== STEP.state) starts[token] = state
    if (step !== STEP.state) token -= 1
    if (step !== STEP.token) state -= 1
  }
  return starts
}

const STEP = { both: 0, token: 1, state: 2 } as const

/** For each cell the step by which the best path came to it. */
function warp(weights: Float32Array, tokens: number, states: number): Uint8Array {
  const from = new Uint8Array(tokens * states)
  let before = new Float64Array(states).fill(Number.NEGATIVE_INFINITY)
  for (let token = 0; token < tokens; token++) {
    const now = new Float64Array(states)
    for (let state = 0; state < states; state++) {
      const both = state > 0 ? (before[state - 1] ?? 0) : token === 0 ? 0 : Number.NEGATIVE_INFINITY
      const later = state > 0 ? (now[state - 1] ?? 0) : Number.NEGATIVE_INFINITY
      const next = before[state] ?? 0
      const best = Math.max(both, later, next)
      const cell = token * states + state
      from[cell] = best === both ? STEP.both : best === later ? STEP.state : STEP.token
      now[state] = best + (weights[cell] ?? 0)
    }
    before = now
  }
  for (let state = 1; state < states; state++) from[state] = STEP.state
  return from
}

function smoothed({ tokens, states, weights }: Attention): Float32Array {
  const out = new Float32Array(weights.length)
  const half = (MEDIAN_STATES - 1) / 2
  const window = new Float64Array(MEDIAN_STATES)
  for (let token = 0; token < tokens; token++) {
    for (let state = 0; state < states; state++) {
      for (let i = 0; i < MEDIAN_STATES; i++) {
        const near = Math.min(states - 1, Math.max(0, state + i - half))
        window[i] = weights[token * states + near] ?? 0
      }
      out[token * states + state] = window.sort()[half] ?? 0
    }
  }
  return out
}
