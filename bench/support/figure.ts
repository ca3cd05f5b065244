/** One measured thing; `ratio` is `value` over the value of `baseline`, taken in the same run. */
export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly baseline: string
  readonly ratio: number
  /** (largest - smallest) / median of the repeated measurements; 0 where there was one. */
  readonly spread: number
}

export type Bench = (say: (line: string) => void) => Promise<Figure[]>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values)
