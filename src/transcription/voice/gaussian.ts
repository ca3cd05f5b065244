/** Small dense algebra on rows of numbers, for covariances of a few dozen features. */
export type Matrix = Float64Array[]

export const zeros = (rows: number, columns: number): Matrix =>
  Array.from({ length: rows }, () => new Float64Array(columns))

export const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0

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

/** x with L·x = b: `b` in coordinates in which the covariance is the identity. */
export function whiten(lower: Matrix, b: ArrayLike<number>): Float64Array {
  const x = new Float64Array(lower.length)
  for (let i = 0; i < x.length; i++) {
    const row = lower[i] as Float64Array // i is inside
    let sum = at(b, i)
    for (let k = 0; k < i; k++) sum -= at(row, k) * at(x, k)
    x[i] = sum / at(row, i)
  }
  return x
}

export const logDeterminant = (lower: Matrix): number =>
  2 * lower.reduce((sum, row, i) => sum + Math.log(at(row, i)), 0)

export function squaredDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (at(a, i) - at(b, i)) ** 2
  return sum
}

export function logSum(values: ArrayLike<number>): number {
  let top = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) top = Math.max(top, at(values, i))
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += Math.exp(at(values, i) - top)
  return top + Math.log(sum)
}
