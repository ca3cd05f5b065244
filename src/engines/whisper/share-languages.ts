import type { Language, LanguageScores } from '../../speech/language.ts'

/** Languages the model takes for each other: where only Hindi is allowed, Urdu heard is Hindi spoken. */
const KIN: Readonly<Record<Language, readonly Language[]>> = {
  hi: ['ur', 'ne', 'mr', 'pa', 'gu', 'bn', 'sd', 'sa', 'as', 'si', 'ta', 'te', 'ml', 'kn'],
}

/**
 * The model's guess over all its languages, brought down to the allowed ones. It knows English best and hardly ever takes
 * it for something else, while unclear Hindi may look like Finnish; so half of what goes to languages nobody speaks here is
 * counted against English.
 */
const REST_AGAINST_ENGLISH = 0.5

export function shareLanguages(heard: ReadonlyMap<Language, number>, allowed: readonly Language[]): LanguageScores {
  const sum = (languages: readonly Language[]) => languages.reduce((total, each) => total + (heard.get(each) ?? 0), 0)
  const kin = (language: Language) => (KIN[language] ?? []).filter((each) => !allowed.includes(each))
  const own = allowed.map((language) => sum([language, ...kin(language)]))
  const rest = sum([...heard.keys()]) - own.reduce((total, each) => total + each, 0)
  const others = allowed.filter((language) => language !== 'en').length
  const extra = (language: Language) => (language === 'en' ? 0 : (REST_AGAINST_ENGLISH * rest) / others)
  const shares = allowed.map((language, i) => (own[i] ?? 0) + extra(language))
  const total = shares.reduce((all, each) => all + each, 0)
  return Object.fromEntries(
    allowed.map((language, i) => [language, total > 0 ? (shares[i] ?? 0) / total : 1 / allowed.length]),
  )
}
