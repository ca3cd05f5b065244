/** Small dense algebra on rows of numbers, for covariances of a few dozen features. */
export type Matrix = Float64Array[]

export const zeros = (rows: number, columns: number): Matrix =>
  Array.from({ length: rows }, () => new Float64Array(columns))

/** Lower triangle L with L·Lᵀ = a; `a` must be a covariance with a positive diagonal. */
export function cholesky(a: Matrix): Matrix {
  const lower = zeros(a.length, a.length)
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i]?.[j] ?? 0
      for (let k = 0; k < j; k++) sum -= (lower[i]?.[k] ?? 0) * (lower[j]?.[k] ?? 0)
      const row = lower[i] as Float64Array // i is inside
      row[j] = i === j ? Math.sqrt(Math.max(sum, 1e-9)) : sum / (lower[j]?.[j] ?? 1)
    }
  }
  return lower
}

/** x with L·x = b: `b` in coordinates in which the covariance is the identity. Written into `x`, which may be `b`. */
export function whiten(lower: Matrix, b: Float64Array, x = new Float64Array(lower.length)): Float64Array {
  for (let i = 0; i < lower.length; i++) {
    const row = lower[i] as Float64Array // i is inside
    let sum = b[i] ?? 0
    for (let k = 0; k < i; k++) sum -= (row[k] ?? 0) * (x[k] ?? 0)
    x[i] = sum / (row[i] ?? 1)
  }
  return x
}

export const logDeterminant = (lower: Matrix): number =>
  2 * lower.reduce((sum, row, i) => sum + Math.log(row[i] ?? 1), 0)

export function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) {
    const off = (a[i] ?? 0) - (b[i] ?? 0)
    sum += off * off
  }
  return sum
}

/** Adds weight·v·vᵀ to the lower triangle. */
export function addSquare(sum: Matrix, v: Float64Array, weight: number): void {
  for (let a = 0; a < v.length; a++) {
    const row = sum[a] as Float64Array // a is inside
    const scaled = weight * (v[a] ?? 0)
    for (let b = 0; b <= a; b++) row[b] = (row[b] ?? 0) + scaled * (v[b] ?? 0)
  }
}

/** The whole of a matrix of which the lower triangle is known. */
export const mirrored = (lower: Matrix): Matrix =>
  lower.map((row, a) => row.map((value, b) => (b <= a ? value : (lower[b]?.[a] ?? 0))))
