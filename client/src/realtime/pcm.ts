/** Sound of a session: 16-bit samples, little-endian as in every processor that runs a browser, one channel. */
export const SAMPLE_RATE_HZ = 24_000

export const msOf = (samples: number): number => (samples * 1000) / SAMPLE_RATE_HZ

/** In pieces: a call with a hundred thousand arguments overflows the stack. */
const PIECE = 8_192

export function toBase64(pcm: Int16Array): string {
  const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(text)
}

export function fromBase64(base64: string): Int16Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length - (text.length % 2))
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at)
  return new Int16Array(bytes.buffer)
}

export function toPcm(samples: Float32Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767))
}

export function toFloats(pcm: Int16Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(pcm, (sample) => sample / 32_768)
}

/** How loud, from 0 to 1: the root mean square, on a scale where speech moves a bar visibly. */
export function levelOf(pcm: Int16Array): number {
  if (pcm.length === 0) return 0
  const power = pcm.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / pcm.length
  const decibels = 10 * Math.log10(power + 1e-10)
  return Math.max(0, Math.min(1, (decibels + 60) / 60))
}

/** Makes fewer samples of many by averaging; the fraction at the end of a piece is carried into the next. */
export function createDownsampler(fromHz: number, toHz: number = SAMPLE_RATE_HZ) {
  const ratio = fromHz / toHz
  let sum = 0
  let weight = 0
  return (samples: Float32Array): Float32Array<ArrayBuffer> => {
    const out: number[] = []
    for (const sample of samples) {
      const room = ratio - weight
      if (room > 1) {
        sum += sample
        weight += 1
        continue
      }
      out.push((sum + sample * room) / ratio)
      sum = sample * (1 - room)
      weight = 1 - room
    }
    return Float32Array.from(out)
  }
}
