import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'

const HEADER_BYTES = 44

/** 16-bit mono, which every server reads. */
export function wavOf(samples: Samples): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + 2 * samples.length)
  const view = new DataView(bytes.buffer)
  const text = (at: number, value: string) => new TextEncoder().encodeInto(value, bytes.subarray(at))
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE_HZ, true)
  view.setUint32(28, 2 * SAMPLE_RATE_HZ, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, 2 * samples.length, true)
  samples.forEach((sample, i) => {
    view.setInt16(HEADER_BYTES + 2 * i, Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), true)
  })
  return bytes
}
