import type { Transcript } from '../speech/transcript.ts'
import { toSrt, toVtt } from '../transcription/subtitles.ts'

export type OpenAiFormat = 'json' | 'text' | 'srt' | 'vtt' | 'verbose_json'
export type OpenAiAnswer = { readonly media: string; readonly body: string | object }

/** OpenAI writes languages as English names. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = { hi: 'hindi', en: 'english', ta: 'tamil' }

export function toOpenAiAnswer(
  transcript: Transcript,
  format: OpenAiFormat,
  granularities: readonly ('segment' | 'word')[],
): OpenAiAnswer {
  const { text, segments } = transcript
  if (format === 'text') return { media: 'text/plain; charset=utf-8', body: `${text}\n` }
  if (format === 'srt') return { media: 'application/x-subrip; charset=utf-8', body: toSrt(segments) }
  if (format === 'vtt') return { media: 'text/vtt; charset=utf-8', body: toVtt(segments) }
  return {
    media: 'application/json; charset=utf-8',
    body: format === 'json' ? { text } : verbose(transcript, granularities),
  }
}

function verbose({ text, language, durationMs, segments }: Transcript, granularities: readonly string[]) {
  const seconds = (ms: number): number => Math.round(ms) / 1000
  return {
    task: 'transcribe',
    language: LANGUAGE_NAMES[language ?? ''] ?? language ?? 'english',
    duration: seconds(durationMs),
    text,
    segments: segments.map((segment, id) => ({
      id,
      seek: 0,
      start: seconds(segment.startMs),
      end: seconds(segment.endMs),
      text: segment.text,
      tokens: [],
      temperature: 0,
      avg_logprob: Math.log(Math.max(segment.confidence, 1e-6)),
      compression_ratio: 1,
      no_speech_prob: 0,
    })),
    ...(granularities.includes('word') ? { words: segments.flatMap(({ words }) => words.map(wordOf)) } : {}),
  }

  function wordOf(word: { text: string; startMs: number; endMs: number }) {
    return { word: word.text, start: seconds(word.startMs), end: seconds(word.endMs) }
  }
}
