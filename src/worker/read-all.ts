export async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}
