/** How much each token looked at each state of the sound: one row of `states` for each of `tokens`. */
export type Attention = { readonly tokens: number; readonly states: number; readonly weights: Float32Array }

export type HeadLook = {
  /** What the head asked for, by token; all of one length. */
  readonly queries: readonly Float32Array[]
  /** What the sound answers with, state by state. */
  readonly keys: Float32Array
}

/**
 * Where the alignment heads looked, all of them together. Each head is brought to the same scale over the tokens: some
 * look sharply, some broadly, and some always look at the same place whatever is said.
 */
export function headsTogether(heads: readonly HeadLook[], states: number): Attention {
  const tokens = heads[0]?.queries.length ?? 0
  const weights = new Float32Array(tokens * states)
  const own = new Float32Array(tokens * states)
  for (const { queries, keys } of heads) {
    queries.forEach((query, token) => {
      look(query, keys, own.subarray(token * states, (token + 1) * states))
    })
    addStandardised(own, states, weights)
  }
  for (let i = 0; i < weights.length; i++) weights[i] = (weights[i] ?? 0) / Math.max(1, heads.length)
  return { tokens, states, weights }
}

/** Softmax of the scaled products, over as many states as `row` has room for. */
function look(query: Float32Array, keys: Float32Array, row: Float32Array): void {
  const size = query.length
  const scale = 1 / Math.sqrt(size)
  let top = Number.NEGATIVE_INFINITY
  for (let state = 0; state < row.length; state++) {
    let product = 0
    const from = state * size
    for (let i = 0; i < size; i++) product += (query[i] ?? 0) * (keys[from + i] ?? 0)
    row[state] = product * scale
    if (product * scale > top) top = product * scale
  }
  let sum = 0
  for (let state = 0; state < row.length; state++) {
    const weight = Math.exp((row[state] ?? 0) - top)
    row[state] = weight
    sum += weight
  }
  for (let state = 0; state < row.length; state++) row[state] = (row[state] ?? 0) / sum
}

function addStandardised(own: Float32Array, states: number, total: Float32Array): void {
  const tokens = own.length / states
  for (let state = 0; state < states; state++) {
    let [sum, squares] = [0, 0]
    for (let at = state; at < own.length; at += states) {
      const weight = own[at] ?? 0
      sum += weight
      squares += weight * weight
    }
    const mean = sum / tokens
    const deviation = Math.sqrt(Math.max(0, squares / tokens - mean * mean)) || 1
    for (let at = state; at < own.length; at += states)
      total[at] = (total[at] ?? 0) + ((own[at] ?? 0) - mean) / deviation
  }
}
