import { joinSounds } from '../scripts/shape-sound.ts'
import type { Samples } from '../src/speech/ports.ts'
import { lengthMs, type Speak, silence } from './speak-lines.ts'
import type { Turn } from './speaker-errors.ts'

const LINES = {
  hi: [
    'नमस्ते, मैं बैंक से बोल रहा हूँ, क्या अभी बात हो सकती है',
    'जी हाँ बताइए, किस बारे में बात करनी है',
    'आपके खाते में कल एक बड़ी रकम जमा हुई है',
    'मुझे इसके बारे में कुछ पता नहीं है',
    'कृपया अपना पता और फ़ोन नंबर एक बार बता दीजिए',
    'मैं थोड़ी देर में घर पहुँचकर आपको फ़ोन करता हूँ',
  ],
  en: [
    'good morning everybody, shall we begin with the report from last week',
    'yes, the numbers are better than we expected in the north',
    'what about the orders that were delayed in the harbour',
    'most of them have arrived, two are still waiting for papers',
    'then please call the customers today and tell them the truth',
    'I will do that right after this meeting and write to you',
  ],
} as const

/** Every voice has three lines of its own, so that few have to be spoken. */
const FIRST_HALF = ['ananya', 'kabir', 'tara', 'dev', 'ishaan']
const OWN_LINES = 3

export const linesOf = (language: keyof typeof LINES, voice: string): readonly string[] =>
  FIRST_HALF.includes(voice) ? LINES[language].slice(0, OWN_LINES) : LINES[language].slice(OWN_LINES)

/** Ten conversations of two and three of the service's voices. */
export const CAST: readonly { readonly language: keyof typeof LINES; readonly voices: readonly string[] }[] = [
  { language: 'hi', voices: ['ananya', 'arjun'] },
  { language: 'hi', voices: ['kabir', 'ananya'] },
  { language: 'hi', voices: ['arjun', 'kabir'] },
  { language: 'hi', voices: ['ananya', 'kabir', 'arjun'] },
  { language: 'hi', voices: ['rohan', 'ananya'] },
  { language: 'en', voices: ['tara', 'neel'] },
  { language: 'en', voices: ['dev', 'diya'] },
  { language: 'en', voices: ['tara', 'diya'] },
  { language: 'en', voices: ['neel', 'tara', 'ishaan'] },
  { language: 'en', voices: ['diya', 'dev', 'neel'] },
]
const TURNS = 8
/** Some turns follow at once, some after a moment. */
const GAPS_MS = [250, 700, 120, 1200, 400, 180, 900, 300]

export type Conversation = { readonly name: string; readonly samples: Samples; readonly turns: readonly Turn[] }

export async function makeConversation(speak: Speak, nth: number): Promise<Conversation> {
  const { language, voices } = CAST[nth] as (typeof CAST)[number] // asked for by its place
  const parts: Samples[] = [silence(300)]
  const turns: Turn[] = []
  let atMs = 300
  for (let turn = 0; turn < TURNS; turn++) {
    const speaker = voices[turn % voices.length] ?? ''
    const line = linesOf(language, speaker)[Math.floor(turn / voices.length) % OWN_LINES] ?? ''
    const said = await speak(line, speaker)
    turns.push({ startMs: atMs, endMs: atMs + lengthMs(said), speaker })
    const gap = silence(GAPS_MS[(nth + turn) % GAPS_MS.length] ?? 0)
    parts.push(said, gap)
    atMs += lengthMs(said) + lengthMs(gap)
  }
  return { name: `made ${language} ${voices.join(', ')}`, samples: joinSounds(parts), turns }
}
