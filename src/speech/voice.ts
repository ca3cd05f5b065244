import type { Language } from './language.ts'

/** Somebody who can speak; what a caller chooses by id. */
export type Voice = {
  readonly id: string
  readonly language: Language
  readonly gender: 'female' | 'male'
}
