import type { Language, LanguageScores } from '../../speech/language.ts'

type HeardAccent = { readonly accent: string | null; readonly confidence: number }

/** Languages spoken nearly only in India as far as this service hears them. */
const INDIAN = new Set(['hi', 'ta', 'te', 'bn', 'mr', 'gu', 'kn', 'ml', 'pa', 'or', 'as'])
/** How sure the language must be for its accent to be said. */
const SURE = 0.8
/** English in which so much Hindi is heard is English as spoken in India. */
const HINDI_IN_ENGLISH = 0.02
/** Somebody who speaks so much Hindi in the same recording speaks English with it. */
const BILINGUAL_SHARE = 0.15

/**
 * Hindi is `hi-IN`. English is `en-IN` where the judge of languages hears Hindi in it, or its speaker also speaks Hindi; nothing
 * here tells other accents of English apart, hence null.
 */
export function labelAccent(language: Language, scores: LanguageScores, indianShare: number): HeardAccent {
  const sure = scores[language] ?? 0
  if (INDIAN.has(language)) return { accent: sure >= SURE ? `${language}-IN` : null, confidence: round(sure) }
  if (language !== 'en') return { accent: null, confidence: 0 }
  const indian = Object.entries(scores).reduce((sum, [each, score]) => sum + (INDIAN.has(each) ? score : 0), 0)
  const bySound = indian < HINDI_IN_ENGLISH ? 0 : 0.5 + Math.min(0.5, indian)
  const byCompany = indianShare < BILINGUAL_SHARE ? 0 : 0.6 + 0.35 * Math.min(1, indianShare)
  const confidence = Math.max(bySound, byCompany)
  return confidence === 0
    ? { accent: null, confidence: round(1 - sure) }
    : { accent: 'en-IN', confidence: round(confidence) }
}

export const isIndian = (language: Language): boolean => INDIAN.has(language)

const round = (share: number): number => Math.round(share * 100) / 100
