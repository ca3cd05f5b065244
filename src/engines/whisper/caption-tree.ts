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

/** What comes after a beginning so unlikely changes nothing, and is not computed. */
const LEAST_REACHED = 1e-3

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
    const after = this.#nodes.map((_, node) => logits.subarray(node * this.#vocabulary, (node + 1) * this.#vocabulary))
    const totals = new Map<number, number>()
    /** How likely one of these tokens comes after a node. */
    const mass = (node: number, places: readonly number[]): number => {
      const own = after[node] ?? logits
      const total = totals.get(node) ?? logOfSum(own)
      totals.set(node, total)
      return places.reduce((sum, place) => sum + Math.exp((own[place] ?? Number.NEGATIVE_INFINITY) - total), 0)
    }
    const root = this.#nodes.findIndex(({ name }) => name === BRACKETS[0]) - 1
    const opened = this.#brackets.map((place) => mass(root, [place]))
    const all = opened.reduce((sum, each) => sum + each, 0)
    const tags: Partial<Record<Tag, number>> = {}
    this.#paths.forEach((paths, bracket) => {
      const share = (opened[bracket] ?? 0) / all
      for (const { tag, node, via, places } of paths) {
        const reached = share * (via < 0 ? 1 : mass(parentOf(this.#nodes, node), [via]))
        if (reached >= LEAST_REACHED) tags[tag] = (tags[tag] ?? 0) + reached * mass(node, places)
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
const placesWhere = (texts: readonly string[], pattern: RegExp): number[] =>
  texts.flatMap((text, place) => (pattern.test(text) ? [place] : []))

function placeOf(texts: readonly string[], text: string): number {
  const place = texts.indexOf(text)
  if (place < 0) throw new RangeError(`the prepared vocabulary has no "${text}"`)
  return place
}

/** The logarithm of the sum of exponentials: forty thousand of them for each node, so in plain loops. */
function logOfSum(logits: Float32Array): number {
  let [top, sum] = [Number.NEGATIVE_INFINITY, 0]
  for (let i = 0; i < logits.length; i++) top = Math.max(top, logits[i] as number) // i is inside
  for (let i = 0; i < logits.length; i++) sum += Math.exp((logits[i] as number) - top) // i is inside
  return top + Math.log(sum)
}
