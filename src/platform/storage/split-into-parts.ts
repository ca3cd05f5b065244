export type Part = { readonly bytes: Buffer; readonly number: number; readonly isLast: boolean }

/** Cuts a body into parts of exactly `partBytes`, the last one smaller; an empty body is one empty part. */
export async function* splitIntoParts(body: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Part> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let number = 1
  for await (const chunk of body) {
    held.push(chunk)
    heldBytes += chunk.byteLength
    // Strictly more: whether a full part is the last one is known only when something follows it.
    while (heldBytes > partBytes) {
      const all = Buffer.concat(held)
      yield { bytes: all.subarray(0, partBytes), number, isLast: false }
      number += 1
      held = [all.subarray(partBytes)]
      heldBytes -= partBytes
    }
  }
  yield { bytes: Buffer.concat(held), number, isLast: true }
}
