/** Decoding needs the whole sound in memory, at this rate about 30 kB a second. */
const RATE_HZ = 8_000
const LONGEST_SECONDS = 40 * 60

/** The loudest sample of each of so many stretches, from 0 to 1. Undefined: too long to decode here, or no browser can. */
export async function readPeaks(sound: Blob, duration: number, points: number): Promise<number[] | undefined> {
  if (duration > LONGEST_SECONDS) return undefined
  try {
    const decoder = new OfflineAudioContext(1, 1, RATE_HZ)
    const decoded = await decoder.decodeAudioData(await sound.arrayBuffer())
    return peaksOf(decoded.getChannelData(0), points)
  } catch {
    return undefined
  }
}

function peaksOf(samples: Float32Array, points: number): number[] {
  const step = samples.length / points
  const peaks = Array.from({ length: points }, (_, at) => {
    let peak = 0
    for (let i = Math.floor(at * step); i < (at + 1) * step; i++) peak = Math.max(peak, Math.abs(samples[i] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks, 0.01)
  return peaks.map((peak) => peak / loudest)
}
