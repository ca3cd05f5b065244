import { joinSounds } from '../scripts/shape-sound.ts'
import type { Speech } from '../src/main/open-speech.ts'
import type { Samples } from '../src/speech/ports.ts'
import type { Word } from '../src/speech/transcript.ts'
import { normaliseText } from './normalise-text.ts'
import { takeOfEach } from './read-manifest.ts'
import { lengthMs, type Speak, silence } from './speak-lines.ts'
import type { Table } from './speech-information.ts'

/** Each word is spoken by itself, so that its times in the joined sound are known. */
const LINES = [
  { language: 'en', voice: 'tara', words: 'please send seven letters before monday morning' },
  { language: 'en', voice: 'neel', words: 'water is better than coffee after dinner' },
  { language: 'hi', voice: 'ananya', words: 'आज बाज़ार में बहुत लोग थे' },
  { language: 'hi', voice: 'arjun', words: 'कल सुबह पानी नहीं आया था' },
]
const GAPS_MS = [60, 180, 90, 320, 120, 240]
const EDGE_MS = 300

type Line = (typeof LINES)[number]
type Errors = { readonly language: string; readonly startsMs: number[]; readonly endsMs: number[]; missed: number }

/** How far the times of words are from the truth, on synthesised speech. */
export async function wordTimeTable(speech: Speech, say: Speak, limit?: number): Promise<Table> {
  const all: Errors[] = []
  for (const line of takeOfEach(LINES, limit)) {
    const { samples, truth } = await speak(say, line)
    all.push(compare(line.language, truth, await hear(speech, samples, line.language)))
  }
  const figures = [...new Set(all.map(({ language }) => language))].map((language) =>
    summarise(
      language,
      all.filter((each) => each.language === language),
    ),
  )
  return { name: 'word times', lines: figures.map(describe), figures }
}

async function speak(say: Speak, { words, voice }: Line) {
  const parts: Samples[] = [silence(EDGE_MS)]
  const truth: Word[] = []
  for (const [nth, text] of words.split(' ').entries()) {
    const spoken = await say(text, voice)
    const startMs = parts.reduce((sum, part) => sum + lengthMs(part), 0)
    truth.push({ text, startMs, endMs: startMs + lengthMs(spoken) })
    parts.push(spoken, silence(GAPS_MS[nth % GAPS_MS.length] ?? 0))
  }
  return { samples: joinSounds([...parts, silence(EDGE_MS)]), truth }
}

async function hear(speech: Speech, samples: Samples, language: string): Promise<readonly Word[]> {
  const [outcome] = await speech.transcriber.transcribe([{ samples, language, languages: [language] }])
  if (!outcome?.ok) throw outcome?.error ?? new Error('no answer')
  return outcome.value.segments.flatMap(({ words }) => words)
}

/** Words that were heard right, in their order. */
function compare(language: string, truth: readonly Word[], heard: readonly Word[]): Errors {
  const errors: Errors = { language, startsMs: [], endsMs: [], missed: 0 }
  let from = 0
  for (const word of truth) {
    const wanted = normaliseText(word.text, language)
    const at = heard.findIndex(({ text }, i) => i >= from && normaliseText(text, language) === wanted)
    const found = heard[at]
    if (!found) {
      errors.missed += 1
      continue
    }
    from = at + 1
    errors.startsMs.push(Math.abs(found.startMs - word.startMs))
    errors.endsMs.push(Math.abs(found.endMs - word.endMs))
  }
  return errors
}

function summarise(language: string, all: readonly Errors[]) {
  const starts = all.flatMap(({ startsMs }) => startsMs)
  const ends = all.flatMap(({ endsMs }) => endsMs)
  const missed = all.reduce((sum, each) => sum + each.missed, 0)
  return { language, words: starts.length, missed, start_ms: spread(starts), end_ms: spread(ends) }
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const mean = values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length)
  const share = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)
  return { mean: Math.round(mean), median: share(0.5), p90: share(0.9) }
}

const describe = ({ language, words, missed, start_ms, end_ms }: ReturnType<typeof summarise>): string =>
  `${language}  ${words} words (${missed} not heard as said)   start off by ${start_ms.mean} ms (median ${start_ms.median}, p90 ${start_ms.p90})   end by ${end_ms.mean} ms (median ${end_ms.median}, p90 ${end_ms.p90})`
