/** One triangular band: weights for consecutive bins from `firstBin` on. */
export type MelFilter = { readonly firstBin: number; readonly weights: Float64Array }

const LINEAR_HZ = 1000
const LINEAR_MEL = 15
const LOG_STEP = Math.log(6.4) / 27

/** Slaney's scale: linear to 1 kHz, logarithmic above. Whisper was trained on it. */
const toMel = (hz: number): number =>
  hz < LINEAR_HZ ? (3 * hz) / 200 : LINEAR_MEL + Math.log(hz / LINEAR_HZ) / LOG_STEP

const toHz = (mel: number): number =>
  mel < LINEAR_MEL ? (200 * mel) / 3 : LINEAR_HZ * Math.exp(LOG_STEP * (mel - LINEAR_MEL))

/** Bands of equal area between zero and half the sample rate. */
export function melFilters(bands: number, spectrumBins: number, sampleRateHz: number): MelFilter[] {
  const topHz = sampleRateHz / 2
  const edges = Array.from({ length: bands + 2 }, (_, i) => toHz((toMel(topHz) * i) / (bands + 1)))
  const binHz = topHz / (spectrumBins - 1)
  return Array.from({ length: bands }, (_, band) => {
    const [low = 0, centre = 0, high = 0] = edges.slice(band, band + 3)
    const weights = Array.from({ length: spectrumBins }, (_, bin) => {
      const rise = (bin * binHz - low) / (centre - low)
      const fall = (high - bin * binHz) / (high - centre)
      return (Math.max(0, Math.min(rise, fall)) * 2) / (high - low)
    })
    const firstBin = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    )
    const lastBin = weights.findLastIndex((weight) => weight > 0)
    return { firstBin, weights: Float64Array.from(weights.slice(firstBin, lastBin + 1)) }
  })
}
