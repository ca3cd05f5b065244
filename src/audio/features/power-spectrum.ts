/**
 * Power spectra of real frames. A frame of n samples is transformed as n/2 complex numbers (even samples real, odd ones
 * imaginary) by a mixed-radix Stockham transform, then unfolded: Whisper's 400 points are no power of two.
 */
export class PowerSpectrum {
  readonly bins: number
  readonly #half: number
  readonly #stages: readonly Stage[]
  readonly #unfold: Float64Array
  #from: Float64Array
  #to: Float64Array

  constructor(frameSamples: number) {
    if (frameSamples % 2 !== 0) throw new RangeError(`a frame of ${frameSamples} samples cannot be halved`)
    this.#half = frameSamples / 2
    this.bins = this.#half + 1
    this.#stages = planStages(this.#half)
    this.#unfold = circle(frameSamples)
    this.#from = new Float64Array(2 * this.#half)
    this.#to = new Float64Array(2 * this.#half)
  }

  /** `frame` is already windowed; the powers go to `powers`, which has `bins` places. */
  compute(frame: Float64Array, powers: Float64Array): void {
    this.#from.set(frame)
    for (const stage of this.#stages) {
      runStage(stage, this.#from, this.#to)
      const spare = this.#from
      this.#from = this.#to
      this.#to = spare
    }
    this.#unfoldInto(powers)
  }

  #unfoldInto(powers: Float64Array): void {
    const half = this.#half
    const z = this.#from
    // Both ends mirror onto the first number, so that its own place is read at k = half too.
    for (let k = 0; k <= half; k++) {
      const here = k === half ? 0 : 2 * k
      const there = k === 0 ? 0 : 2 * (half - k)
      const ar = at(z, here)
      const ai = at(z, here + 1)
      const br = at(z, there)
      const bi = -at(z, there + 1)
      const dr = ar - br
      const di = ai - bi
      const wr = at(this.#unfold, 2 * k)
      const wi = at(this.#unfold, 2 * k + 1)
      const re = 0.5 * (ar + br + di * wr + dr * wi)
      const im = 0.5 * (ai + bi - dr * wr + di * wi)
      powers[k] = re * re + im * im
    }
  }
}

/** One pass: `radix` branches of `span` transforms, each result `stride` apart. */
type Stage = {
  readonly radix: number
  readonly span: number
  readonly stride: number
  readonly twiddles: Float64Array
  readonly roots: Float64Array
}

/** For indexes that are known to be inside: saying so is faster than asking. */
export const at = (values: Float64Array, index: number): number => values[index] as number

/** e^(-2πik/n) for k = 0..n-1, as pairs. */
function circle(n: number): Float64Array {
  const points = new Float64Array(2 * n)
  for (let k = 0; k < n; k++) {
    points[2 * k] = Math.cos((2 * Math.PI * k) / n)
    points[2 * k + 1] = -Math.sin((2 * Math.PI * k) / n)
  }
  return points
}

function planStages(n: number): Stage[] {
  const stages: Stage[] = []
  let [left, stride] = [n, 1]
  while (left > 1) {
    const radix = [4, 2, 3, 5].find((each) => left % each === 0) ?? left
    stages.push({ radix, span: left / radix, stride, twiddles: circle(left), roots: circle(radix) })
    left /= radix
    stride *= radix
  }
  return stages
}

function runStage(stage: Stage, from: Float64Array, to: Float64Array): void {
  if (stage.radix === 4) runFours(stage, from, to)
  else if (stage.radix === 5) runFives(stage, from, to)
  else if (stage.radix === 2) runTwos(stage, from, to)
  else runAny(stage, from, to)
}

function runTwos({ span, stride, twiddles }: Stage, from: Float64Array, to: Float64Array): void {
  const leg = 2 * stride * span
  for (let p = 0; p < span; p++) {
    for (let q = 0; q < stride; q++) {
      const a = 2 * (q + stride * p)
      const b = a + leg
      const target = 2 * (q + stride * 2 * p)
      to[target] = at(from, a) + at(from, b)
      to[target + 1] = at(from, a + 1) + at(from, b + 1)
      put(to, target + 2 * stride, at(from, a) - at(from, b), at(from, a + 1) - at(from, b + 1), twiddles, p)
    }
  }
}

/** The transform of four numbers has no products in it. */
function runFours({ span, stride, twiddles }: Stage, from: Float64Array, to: Float64Array): void {
  const leg = 2 * stride * span
  for (let p = 0; p < span; p++) {
    for (let q = 0; q < stride; q++) {
      const a = 2 * (q + stride * p)
      const [b, c, d] = [a + leg, a + 2 * leg, a + 3 * leg]
      const sumAcR = at(from, a) + at(from, c)
      const sumAcI = at(from, a + 1) + at(from, c + 1)
      const gapAcR = at(from, a) - at(from, c)
      const gapAcI = at(from, a + 1) - at(from, c + 1)
      const sumBdR = at(from, b) + at(from, d)
      const sumBdI = at(from, b + 1) + at(from, d + 1)
      const gapBdR = at(from, b) - at(from, d)
      const gapBdI = at(from, b + 1) - at(from, d + 1)
      const target = 2 * (q + stride * 4 * p)
      to[target] = sumAcR + sumBdR
      to[target + 1] = sumAcI + sumBdI
      put(to, target + 2 * stride, gapAcR + gapBdI, gapAcI - gapBdR, twiddles, p)
      put(to, target + 4 * stride, sumAcR - sumBdR, sumAcI - sumBdI, twiddles, 2 * p)
      put(to, target + 6 * stride, gapAcR - gapBdI, gapAcI + gapBdR, twiddles, 3 * p)
    }
  }
}

const [COS_1, COS_2] = [Math.cos((2 * Math.PI) / 5), Math.cos((4 * Math.PI) / 5)]
const [SIN_1, SIN_2] = [Math.sin((2 * Math.PI) / 5), Math.sin((4 * Math.PI) / 5)]

/** Legs that mirror each other share their products. */
function runFives({ span, stride, twiddles }: Stage, from: Float64Array, to: Float64Array): void {
  const leg = 2 * stride * span
  for (let p = 0; p < span; p++) {
    for (let q = 0; q < stride; q++) {
      const a = 2 * (q + stride * p)
      const [b, c, d, e] = [a + leg, a + 2 * leg, a + 3 * leg, a + 4 * leg]
      const ar = at(from, a)
      const ai = at(from, a + 1)
      const sumBeR = at(from, b) + at(from, e)
      const sumBeI = at(from, b + 1) + at(from, e + 1)
      const gapBeR = at(from, b) - at(from, e)
      const gapBeI = at(from, b + 1) - at(from, e + 1)
      const sumCdR = at(from, c) + at(from, d)
      const sumCdI = at(from, c + 1) + at(from, d + 1)
      const gapCdR = at(from, c) - at(from, d)
      const gapCdI = at(from, c + 1) - at(from, d + 1)
      const nearR = ar + COS_1 * sumBeR + COS_2 * sumCdR
      const nearI = ai + COS_1 * sumBeI + COS_2 * sumCdI
      const farR = ar + COS_2 * sumBeR + COS_1 * sumCdR
      const farI = ai + COS_2 * sumBeI + COS_1 * sumCdI
      const nearTurnR = SIN_1 * gapBeI + SIN_2 * gapCdI
      const nearTurnI = SIN_1 * gapBeR + SIN_2 * gapCdR
      const farTurnR = SIN_2 * gapBeI - SIN_1 * gapCdI
      const farTurnI = SIN_2 * gapBeR - SIN_1 * gapCdR
      const target = 2 * (q + stride * 5 * p)
      to[target] = ar + sumBeR + sumCdR
      to[target + 1] = ai + sumBeI + sumCdI
      put(to, target + 2 * stride, nearR + nearTurnR, nearI - nearTurnI, twiddles, p)
      put(to, target + 4 * stride, farR + farTurnR, farI - farTurnI, twiddles, 2 * p)
      put(to, target + 6 * stride, farR - farTurnR, farI + farTurnI, twiddles, 3 * p)
      put(to, target + 8 * stride, nearR - nearTurnR, nearI + nearTurnI, twiddles, 4 * p)
    }
  }
}

function put(to: Float64Array, target: number, re: number, im: number, twiddles: Float64Array, turn: number): void {
  const tr = at(twiddles, 2 * turn)
  const ti = at(twiddles, 2 * turn + 1)
  to[target] = re * tr - im * ti
  to[target + 1] = re * ti + im * tr
}

/** For radices without a transform of their own. */
function runAny({ radix, span, stride, twiddles, roots }: Stage, from: Float64Array, to: Float64Array): void {
  for (let p = 0; p < span; p++) {
    for (let out = 0; out < radix; out++) {
      for (let q = 0; q < stride; q++) {
        let [re, im] = [0, 0]
        for (let leg = 0; leg < radix; leg++) {
          const source = 2 * (q + stride * (p + span * leg))
          const root = 2 * ((leg * out) % radix)
          re += at(from, source) * at(roots, root) - at(from, source + 1) * at(roots, root + 1)
          im += at(from, source) * at(roots, root + 1) + at(from, source + 1) * at(roots, root)
        }
        put(to, 2 * (q + stride * (radix * p + out)), re, im, twiddles, p * out)
      }
    }
  }
}
