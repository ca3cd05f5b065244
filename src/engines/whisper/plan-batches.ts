/** Clips of like length together: a decode lasts as long as its longest clip. Longest first. */
export function planBatches<T>(
  items: readonly T[],
  seconds: (item: T) => number,
  { batchSize, batchSeconds }: { readonly batchSize: number; readonly batchSeconds: number },
): T[][] {
  const batches: T[][] = []
  for (const item of items.toSorted((a, b) => seconds(b) - seconds(a))) {
    const open = batches.at(-1)
    const longest = open?.[0]
    // Every row of a decode is as wide as its longest.
    const fits = open && longest && open.length < batchSize && (open.length + 1) * seconds(longest) <= batchSeconds
    if (fits) open.push(item)
    else batches.push([item])
  }
  return batches
}
