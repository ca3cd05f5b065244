import type { WhisperVocabulary } from './whisper-vocabulary.ts'

export type Choice = { readonly token: number; readonly logProb: number }

export type TokenRulesOptions = {
  readonly vocabulary: WhisperVocabulary
  /** From the graph: which token each place of the logits stands for. */
  readonly tokensOfPlaces: Int32Array
  /** One flag per token: may it be written as text? */
  readonly allowed: Uint8Array
  readonly withTimestamps: boolean
}

/** A first timestamp lies within the first second, as in Whisper's own decoding. */
const LAST_FIRST_TIMESTAMP = 50

/** Which token may follow, and which of them does. Works on places of the logits, which may be a part of the vocabulary. */
export class TokenRules {
  readonly #vocabulary: WhisperVocabulary
  readonly #tokens: Int32Array
  readonly #places: ReadonlyMap<number, number>
  readonly #text: Int32Array
  readonly #firstText: Int32Array
  readonly #end: Int32Array
  readonly #all: Int32Array
  readonly #timestamps: Int32Array

  constructor({ vocabulary, tokensOfPlaces, allowed, withTimestamps }: TokenRulesOptions) {
    this.#vocabulary = vocabulary
    this.#tokens = tokensOfPlaces
    this.#places = new Map(Array.from(this.#tokens, (token, place) => [token, place]))
    this.#text = this.#placesWhere((token) => allowed[token] === 1)
    const notFirst = new Set(vocabulary.suppressedFirst)
    this.#firstText = this.#placesWhere((token) => allowed[token] === 1 && !notFirst.has(token))
    this.#all = this.#placesWhere(() => true)
    this.#end = this.#placesWhere((token) => token === vocabulary.end)
    this.#timestamps = this.#placesWhere((token) => withTimestamps && token >= vocabulary.firstTimestamp)
  }

  get places(): number {
    return this.#tokens.length
  }

  placeOf(token: number): number {
    const place = this.#places.get(token)
    if (place === undefined) throw new RangeError(`the prepared vocabulary has no token ${token}`)
    return place
  }

  /** Probability of one token among all, whatever the rules say. */
  probability(logits: Float32Array, row: number, token: number): number {
    const place = this.placeOf(token)
    const own = logits.subarray(row * this.places, (row + 1) * this.places)
    return Math.exp((own[place] ?? 0) - logSumExp(own, [this.#all]))
  }

  /** `random` gives 0..1; it is asked only above temperature zero, where without it the likeliest is taken. */
  choose(
    logits: Float32Array,
    row: number,
    written: readonly number[],
    temperature: number,
    random?: () => number,
  ): Choice {
    const own = logits.subarray(row * this.places, (row + 1) * this.places)
    const groups = this.#groups(own, written)
    const chosen = pick(own, groups, temperature, random)
    const logProb = (own[chosen] ?? 0) - logSumExp(own, groups)
    return { token: this.#tokens[chosen] ?? this.#vocabulary.end, logProb }
  }

  /** The likeliest tokens after a text, best first. */
  best(logits: Float32Array, row: number, written: readonly number[], count: number): Choice[] {
    const own = logits.subarray(row * this.places, (row + 1) * this.places)
    const groups = this.#groups(own, written)
    const all = logSumExp(own, groups)
    return topPlaces(own, groups, count).map((place) => ({
      token: this.#tokens[place] ?? this.#vocabulary.end,
      logProb: (own[place] ?? 0) - all,
    }))
  }

  #groups(own: Float32Array, written: readonly number[]): Int32Array[] {
    const text = written.length === 0 ? this.#firstText : this.#text
    if (this.#timestamps.length === 0) return written.length === 0 ? [text] : [text, this.#end]
    return this.#groupsWithTimestamps(own, written)
  }

  /** Timestamps come in pairs around text, never run back, and come when together they are likelier than any word. */
  #groupsWithTimestamps(own: Float32Array, written: readonly number[]): Int32Array[] {
    const { firstTimestamp } = this.#vocabulary
    if (written.length === 0) return [this.#timestamps.subarray(0, LAST_FIRST_TIMESTAMP + 1)]
    const isTime = (token: number | undefined) => token !== undefined && token >= firstTimestamp
    const last = written.at(-1)
    const beforeLast = written.at(-2)
    if (isTime(last) && (isTime(beforeLast) || written.length < 2)) return [this.#text, this.#end]
    const latest = written.findLast(isTime) ?? firstTimestamp
    const closes = isTime(last)
    const later = this.#timestamps.subarray(latest - firstTimestamp + (closes ? 0 : 1))
    if (closes) return [later, this.#end]
    const isTimeLikelier = later.length > 0 && logSumExp(own, [later]) > (own[argMax(own, this.#text)] ?? 0)
    return isTimeLikelier ? [later] : [this.#text, later, this.#end]
  }

  #placesWhere(holds: (token: number) => boolean): Int32Array {
    return Int32Array.from([...this.#tokens.keys()].filter((place) => holds(this.#tokens[place] ?? -1)))
  }
}

function pick(own: Float32Array, groups: readonly Int32Array[], temperature: number, random?: () => number): number {
  const best = groups.map((group) => argMax(own, group)).reduce((a, b) => ((own[b] ?? 0) > (own[a] ?? 0) ? b : a))
  if (temperature === 0 || !random) return best
  const top = own[best] ?? 0
  const weight = (place: number) => Math.exp(((own[place] ?? 0) - top) / temperature)
  let left = random() * groups.reduce((sum, group) => sum + group.reduce((each, place) => each + weight(place), 0), 0)
  for (const group of groups) {
    for (const place of group) {
      left -= weight(place)
      if (left <= 0) return place
    }
  }
  return best
}

function topPlaces(own: Float32Array, groups: readonly Int32Array[], count: number): number[] {
  const top: number[] = []
  const scoreOf = (place: number | undefined) => (place === undefined ? Number.NEGATIVE_INFINITY : (own[place] ?? 0))
  for (const group of groups) {
    for (const place of group) {
      if (top.length === count && scoreOf(place) <= scoreOf(top.at(-1))) continue
      const at = top.findIndex((other) => scoreOf(other) < scoreOf(place))
      top.splice(at === -1 ? top.length : at, 0, place)
      if (top.length > count) top.pop()
    }
  }
  return top
}

function argMax(own: Float32Array, places: Int32Array): number {
  let best = places[0] ?? 0
  let top = own[best] ?? Number.NEGATIVE_INFINITY
  for (let i = 1; i < places.length; i++) {
    const place = places[i] ?? 0
    const value = own[place] ?? 0
    if (value > top) {
      top = value
      best = place
    }
  }
  return best
}

function logSumExp(own: Float32Array, groups: readonly Int32Array[]): number {
  const top = Math.max(...groups.map((group) => own[argMax(own, group)] ?? 0))
  let sum = 0
  for (const group of groups) {
    for (let i = 0; i < group.length; i++) sum += Math.exp((own[group[i] ?? 0] ?? 0) - top)
  }
  return top + Math.log(sum)
}
