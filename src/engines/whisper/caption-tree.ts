import type { Tag } from '../../speech/transcript.ts'
import type { Branch } from './whisper-graph.ts'
import type { WhisperVocabulary } from './whisper-vocabulary.ts'

/** What a model would write for a clip if it were asked for a caption of the sound. */
export type CaptionScores = {
  /** How likely the caption of a sound comes before any spoken word, 0..1. */
  readonly sound: number
  /** Given that it is a caption: how likely it names this, 0..1. */
  readonly tags: Readonly<Partial<Record<Tag, number>>>
}

/** The words captions are written with. A word of several tokens is given by its pieces. */
const WORDS: readonly { readonly tag: Tag; readonly first: RegExp; readonly rest?: RegExp }[] = [
  { tag: 'laughing', first: /^ ?(laugh|chuckl|giggl)/i },
  { tag: 'laughing', first: /^audience$/i, rest: /^ ?(laugh|chuckl)/i },
  { tag: 'applause', first: /^ ?(applau|clap|cheer)/i },
  { tag: 'applause', first: /^audience$/i, rest: /^ ?(applau|clap|cheer)/i },
  { tag: 'coughing', first: /^ ?cough/i },
  { tag: 'coughing', first: /^c$/i, rest: /^ough/i },
  { tag: 'crying', first: /^ ?(cry|sob)/i },
  { tag: 'crying', first: /^c$/i, rest: /^(ry|ries|rying)/i },
  { tag: 'crying', first: /^baby$/i, rest: /^ ?cr/i },
  { tag: 'music', first: /^ ?music/i },
]
/** Captions stand in brackets, songs between notes. */
const CAPTION = /^ ?[[(*♪]/
const BRACKETS = [' (', ' [']
/** Beginnings of words that go on in a second token. */
const BEGINNINGS = ['c', 'C', 'audience', 'baby']

/**
 * Text said to have come before: a model that has just read captions writes captions, and is surer of their names.
 * Pieces as the vocabulary has them.
 */
const PRIMER = [
  ...[' (', 'c', 'oughing', ')', ' (', 'laughing', ')', ' (', 'app', 'lause', ')'],
  ...[' (', 'c', 'rying', ')', ' (', 'music', ')'],
]

type Node = Branch & { readonly name: string }

/**
 * A small tree of beginnings of captions, scored in one pass of the decoder over one row: what would follow "(", what
 * would follow "(c", and so on. Speech under a laugh stays speech to the first token; after the bracket it does not matter.
 */
export class CaptionTree {
  readonly branches: readonly Branch[]
  readonly #nodes: readonly Node[] = []
  readonly #vocabulary: number
  readonly #captions: readonly number[]
  readonly #brackets: readonly number[]
  readonly #paths: readonly { tag: Tag; node: number; via: number; places: readonly number[] }[][]

  constructor(vocabulary: WhisperVocabulary, tokensOfPlaces: Int32Array, isPrimed: boolean) {
    const texts = Array.from(tokensOfPlaces, (token) => UTF8.decode(vocabulary.bytes[token] ?? new Uint8Array()))
    const special = (token: number) => tokensOfPlaces.indexOf(token)
    const english = vocabulary.languages.get('en') ?? vocabulary.start
    const start = [vocabulary.start, english, vocabulary.transcribe, vocabulary.noTimestamps].map(special)
    const primer = [special(vocabulary.previous), ...PRIMER.map((piece) => placeOf(texts, piece))]
    const nodes = line(isPrimed ? [...primer, ...start] : start)
    const root = nodes.length - 1
    for (const bracket of BRACKETS) {
      const opened = nodes.length
      nodes.push(grow(nodes, root, placeOf(texts, bracket), bracket))
      for (const beginning of BEGINNINGS)
        nodes.push(grow(nodes, opened, placeOf(texts, beginning), bracket + beginning))
    }
    this.#nodes = nodes
    this.branches = nodes
    this.#vocabulary = texts.length
    this.#captions = placesWhere(texts, CAPTION)
    this.#brackets = BRACKETS.map((bracket) => placeOf(texts, bracket))
    this.#paths = BRACKETS.map((bracket) => wordPaths(nodes, texts, bracket))
  }

  /** `logits`: what the decoder gives for `branches`, one row of it. */
  read(logits: Float32Array): CaptionScores {
    const after = new Map<number, Float32Array>()
    const probabilities = (node: number): Float32Array => {
      const known = after.get(node) ?? softmax(logits.subarray(node * this.#vocabulary, (node + 1) * this.#vocabulary))
      after.set(node, known)
      return known
    }
    const root = probabilities(this.#nodes.findIndex(({ name }) => name === BRACKETS[0]) - 1)
    const opened = this.#brackets.map((place) => root[place] ?? 0)
    const all = opened.reduce((sum, each) => sum + each, 0)
    const tags: Partial<Record<Tag, number>> = {}
    this.#paths.forEach((paths, bracket) => {
      const share = (opened[bracket] ?? 0) / all
      for (const { tag, node, via, places } of paths) {
        const reached = via < 0 ? 1 : (probabilities(parentOf(this.#nodes, node))[via] ?? 0)
        tags[tag] = (tags[tag] ?? 0) + share * reached * mass(probabilities(node), places)
      }
    })
    return { sound: mass(root, this.#captions), tags }
  }
}

/** For each word: after which node, reached by which token (none: the bracket itself), and with which tokens it is named. */
function wordPaths(nodes: readonly Node[], texts: readonly string[], bracket: string) {
  const nodeOf = (name: string) => nodes.findIndex((node) => node.name === name)
  return WORDS.flatMap(({ tag, first, rest }) => {
    if (!rest) return [{ tag, node: nodeOf(bracket), via: -1, places: placesWhere(texts, first) }]
    return BEGINNINGS.filter((beginning) => first.test(beginning)).map((beginning) => ({
      tag,
      node: nodeOf(bracket + beginning),
      via: placeOf(texts, beginning),
      places: placesWhere(texts, rest),
    }))
  })
}

function line(places: readonly number[]): Node[] {
  return places.map((place, position) => ({ place, position, sees: [...Array(position).keys()], name: '' }))
}

function grow(nodes: readonly Node[], parent: number, place: number, name: string): Node {
  const { position = 0, sees = [] } = nodes[parent] ?? {}
  return { place, position: position + 1, sees: [...sees, parent], name }
}

const UTF8 = new TextDecoder()
const parentOf = (nodes: readonly Node[], node: number): number => nodes[node]?.sees.at(-1) ?? 0
const mass = (of: Float32Array, places: readonly number[]): number =>
  places.reduce((sum, place) => sum + (of[place] ?? 0), 0)
const placesWhere = (texts: readonly string[], pattern: RegExp): number[] =>
  texts.flatMap((text, place) => (pattern.test(text) ? [place] : []))

function placeOf(texts: readonly string[], text: string): number {
  const place = texts.indexOf(text)
  if (place < 0) throw new RangeError(`the prepared vocabulary has no "${text}"`)
  return place
}

function softmax(logits: Float32Array): Float32Array {
  const top = logits.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY)
  const weights = logits.map((logit) => Math.exp(logit - top))
  const sum = weights.reduce((total, each) => total + each, 0)
  return weights.map((weight) => weight / sum)
}
