/**
 * Byte-level vocabularies write each byte as one visible letter: printable Latin-1 stands for itself, the others follow
 * from U+0100 on. Gives letter → byte.
 */
export function byteLetters(): ReadonlyMap<string, number> {
  const isPlain = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
  const letters = new Map<string, number>()
  let next = 256
  for (let byte = 0; byte < 256; byte++) letters.set(String.fromCharCode(isPlain(byte) ? byte : next++), byte)
  return letters
}
