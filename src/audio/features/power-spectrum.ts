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
    for (let k = 0; k <= half; k++) {
      const here = 2 * (k % half)
      const there = 2 * ((half - k) % half)
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

const at = (values: Float64Array, index: number): number => values[index] ?? 0

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
  const { radix, span, stride, twiddles } = stage
  for (let p = 0; p < span; p++) {
    for (let out = 0; out < radix; out++) {
      const tr = at(twiddles, 2 * p * out)
      const ti = at(twiddles, 2 * p * out + 1)
      for (let q = 0; q < stride; q++) {
        sumLegs(stage, from, q + stride * p, out)
        const target = 2 * (q + stride * (radix * p + out))
        to[target] = SUM.re * tr - SUM.im * ti
        to[target + 1] = SUM.re * ti + SUM.im * tr
      }
    }
  }
}

/** Written here instead of returned: half a million pairs a second would be garbage. */
const SUM = { re: 0, im: 0 }

function sumLegs({ radix, span, stride, roots }: Stage, from: Float64Array, first: number, out: number): void {
  let re = 0
  let im = 0
  let root = 0
  for (let leg = 0, source = 2 * first; leg < radix; leg++, source += 2 * stride * span) {
    const xr = at(from, source)
    const xi = at(from, source + 1)
    const cr = at(roots, 2 * root)
    const ci = at(roots, 2 * root + 1)
    re += xr * cr - xi * ci
    im += xr * ci + xi * cr
    root += out
    if (root >= radix) root -= radix
  }
  SUM.re = re
  SUM.im = im
}
