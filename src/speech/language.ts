/** ISO 639-1 code of a spoken language, as recognisers name it. */
export type Language = string & {}

/** How text is written: as heard, all in Latin letters, or all in Devanagari. */
export const SCRIPTS = ['native', 'roman', 'devanagari'] as const
export type Script = (typeof SCRIPTS)[number]

/** How likely each allowed language is; sums to one. */
export type LanguageScores = Readonly<Record<Language, number>>
