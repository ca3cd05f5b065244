import type { Samples } from '../speech/ports.ts'

/** How far the filter looks to each side, in samples of the slower rate: 2 ms at 8 kHz. */
const REACH = 16
/** Where the filter begins to close, as a share of the slower rate's upper limit. */
const EDGE = 0.92
const KAISER_BETA = 8

/**
 * One stream from one rate to another, in pieces of any size: the pieces together are what the whole would give. Sample n
 * of the output lies at the time of sample n × from / to of the input, so times stay exact; the last two milliseconds wait for what
 * follows them.
 */
export class Resampler {
  readonly #up: number
  readonly #down: number
  readonly #half: number
  readonly #phases: readonly Float32Array[]
  /** Input from `#half - 1` samples before the next output on; silence before the first. */
  #held: Samples
  /** Place of the first held sample in the input. */
  #heldAt: number
  #received = 0
  #given = 0

  constructor(fromHz: number, toHz: number) {
    const common = greatestDivisor(fromHz, toHz)
    this.#up = toHz / common
    this.#down = fromHz / common
    this.#half = Math.ceil(REACH * Math.max(1, this.#down / this.#up))
    this.#phases = fromHz === toHz ? [] : designPhases(this.#up, this.#down, this.#half)
    this.#held = new Float32Array(this.#half - 1)
    this.#heldAt = 1 - this.#half
  }

  push(samples: Samples): Samples {
    if (this.#phases.length === 0) return samples
    this.#received += samples.length
    this.#held = joined(this.#held, samples)
    // Output n needs input up to floor(n × down / up) + half.
    return this.#give(Math.ceil(((this.#received - this.#half) * this.#up) / this.#down))
  }

  /** What waited, followed by silence. The stream begins anew after it. */
  end(): Samples {
    if (this.#phases.length === 0) return new Float32Array(0)
    this.#held = joined(this.#held, new Float32Array(this.#half))
    const last = this.#give(Math.ceil((this.#received * this.#up) / this.#down))
    this.#held = new Float32Array(this.#half - 1)
    this.#heldAt = 1 - this.#half
    this.#received = 0
    this.#given = 0
    return last
  }

  #give(upTo: number): Samples {
    const output = new Float32Array(Math.max(0, upTo - this.#given))
    for (let index = 0; index < output.length; index++) {
      const place = (this.#given + index) * this.#down
      const phase = this.#phases[place % this.#up] ?? new Float32Array(0)
      const first = Math.floor(place / this.#up) - this.#half + 1 - this.#heldAt
      let sum = 0
      for (let tap = 0; tap < phase.length; tap++) sum += (phase[tap] ?? 0) * (this.#held[first + tap] ?? 0)
      output[index] = sum
    }
    this.#given += output.length
    this.#forget(Math.floor((this.#given * this.#down) / this.#up) - this.#half + 1)
    return output
  }

  #forget(before: number): void {
    this.#held = this.#held.slice(before - this.#heldAt)
    this.#heldAt = before
  }
}

/** A whole sound at once. */
export function resample(samples: Samples, fromHz: number, toHz: number): Samples {
  const resampler = new Resampler(fromHz, toHz)
  return joined(resampler.push(samples), resampler.end())
}

/** A windowed sinc, once for each place an output sample can have between two input samples; each sums to one. */
function designPhases(up: number, down: number, half: number): Float32Array[] {
  const cutoff = EDGE * Math.min(1, up / down)
  return Array.from({ length: up }, (_, phase) => {
    const taps = Float32Array.from({ length: 2 * half }, (_, tap) => {
      const distance = tap - half + 1 - phase / up
      return sinc(cutoff * distance) * kaiser(distance / half)
    })
    const sum = taps.reduce((total, each) => total + each, 0)
    return taps.map((each) => each / sum)
  })
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

const kaiser = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA)

/** The modified Bessel function of order zero, by its series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1]
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))

function joined(first: Samples, second: Samples): Samples {
  const all = new Float32Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
