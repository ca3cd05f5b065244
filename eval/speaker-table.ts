import { readFile } from 'node:fs/promises'
import type { Transcript, Word } from '../src/speech/transcript.ts'
import { decodeClip } from './decode-clip.ts'
import { percentage } from './error-rates.ts'
import { hearFile, type Listener } from './hear-file.ts'
import { CAST, type Conversation, makeConversation } from './made-conversations.ts'
import { normaliseText } from './normalise-text.ts'
import type { Clip } from './read-manifest.ts'
import type { Speak } from './speak-lines.ts'
import { speakerErrors, type Turn } from './speaker-errors.ts'
import type { Table } from './speech-information.ts'

/** Half a second of silence: whoever splits by silence hears another person behind it. */
const SPLIT_MS = 500
/** "3 speakers: 1 1 2 2 3": who says each word of the transcript. */
const SPEAKERS_OF_WORDS = /speakers: ((?:\d+ ?)+)$/

type Row = {
  readonly name: string
  readonly wrong: number
  readonly one: number
  readonly split: number
  readonly ms: number
}

/** How much speech is given to the wrong person, beside calling everybody one and calling everybody behind a silence another. */
export async function speakerTable(
  listener: Listener,
  clips: readonly Clip[],
  speak: Speak,
  limit = CAST.length,
): Promise<Table> {
  const given: Row[] = []
  for (const clip of clips) {
    const rttm = await readFile(clip.path.replace(/\.[^.]+$/, '.rttm'), 'utf8').catch(() => undefined)
    const ofWords = SPEAKERS_OF_WORDS.exec(clip.note ?? '')?.[1]
      ?.trim()
      .split(' ')
    if (rttm === undefined && ofWords === undefined) continue
    const heard = await hearFile(listener, await decodeClip(clip.path))
    const said = rttm === undefined ? turnsOfWords(clip, ofWords ?? [], heard) : readTurns(rttm)
    given.push(compare(clip.name, said, heard))
  }
  const made: Row[] = []
  for (let nth = 0; nth < Math.min(limit, CAST.length); nth++) {
    const { name, turns, samples }: Conversation = await makeConversation(speak, nth)
    made.push(compare(name, turns, await hearFile(listener, samples)))
  }
  const rows = made.length === 0 ? given : [...given, ...made, meanOf(`mean of ${made.length} made ones`, made)]
  return { name: 'speakers, share of speech given to somebody else', lines: rows.map(describe), figures: rows }
}

function compare(name: string, said: readonly Turn[], heard: Transcript): Row {
  const turns = heard.segments.flatMap(({ startMs, endMs, speakerId }) =>
    speakerId === undefined ? [] : [{ startMs, endMs, speaker: speakerId }],
  )
  const { wrongMs, oneMs, totalMs } = speakerErrors(said, turns)
  const people = new Set(said.map(({ speaker }) => speaker)).size
  const split = speakerErrors(said, splitBySilence(heard, people))
  return {
    name,
    wrong: percentage(wrongMs, totalMs),
    one: percentage(oneMs, totalMs),
    split: percentage(split.wrongMs, split.totalMs),
    ms: Math.round(totalMs),
  }
}

/** The rival is even told how many there are: behind each silence the next one speaks. */
function splitBySilence({ segments }: Transcript, people: number): Turn[] {
  const words = segments.flatMap((segment) =>
    segment.words.length > 0 ? segment.words : segment.text ? [segment] : [],
  )
  let speaker = 0
  return words.map(({ startMs, endMs }, at) => {
    const before = words[at - 1]
    if (before && startMs - before.endMs >= SPLIT_MS) speaker = (speaker + 1) % people
    return { startMs, endMs, speaker: String(speaker) }
  })
}

/** Words heard as they were said tell when their speaker speaks. */
function turnsOfWords({ transcript, language }: Clip, speakers: readonly string[], heard: Transcript): Turn[] {
  const said = transcript.split(/\s+/)
  const words: readonly Word[] = heard.segments.flatMap((segment) => segment.words)
  let from = 0
  return said.flatMap((text, at): Turn[] => {
    const wanted = normaliseText(text, language)
    const found = words.findIndex(
      (word, i) => i >= from && i < from + 6 && normaliseText(word.text, language) === wanted,
    )
    const word = words[found]
    const speaker = speakers[at]
    if (!word || speaker === undefined) return []
    from = found + 1
    return [{ startMs: word.startMs, endMs: word.endMs, speaker }]
  })
}

const readTurns = (rttm: string): Turn[] =>
  rttm
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(([kind]) => kind === 'SPEAKER')
    .map((cells) => {
      const [startMs, lengthMs] = [Number(cells[3]) * 1000, Number(cells[4]) * 1000]
      return { startMs, endMs: startMs + lengthMs, speaker: cells[7] ?? '' }
    })

function meanOf(name: string, rows: readonly Row[]): Row {
  const mean = (value: (row: Row) => number) =>
    Math.round((100 * rows.reduce((sum, row) => sum + value(row), 0)) / rows.length) / 100
  return {
    name,
    wrong: mean((row) => row.wrong),
    one: mean((row) => row.one),
    split: mean((row) => row.split),
    ms: mean((row) => row.ms),
  }
}

const describe = ({ name, wrong, one, split, ms }: Row): string =>
  `${name}: ${wrong} %   one speaker ${one} %   split by silence ${split} %   (${(ms / 1000).toFixed(1)} s)`
