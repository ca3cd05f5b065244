import type { Voice } from './voice.ts'

/** Names that clients of OpenAI's interface were built with; each means an English voice of ours of the same gender. */
export const VOICE_ALIASES: Readonly<Record<string, string>> = {
  alloy: 'tara',
  coral: 'diya',
  sage: 'diya',
  shimmer: 'tara',
  marin: 'tara',
  nova: 'diya',
  ash: 'neel',
  ballad: 'ishaan',
  echo: 'dev',
  verse: 'ishaan',
  cedar: 'neel',
  onyx: 'dev',
  fable: 'ishaan',
}

/** The voice that a name means: its id, or an alias unless a voice has taken that name for itself. */
export function resolveVoice(voices: readonly Voice[], name: string): Voice | undefined {
  const withId = (id: string | undefined) => voices.find((voice) => voice.id === id)
  return withId(name) ?? withId(Object.hasOwn(VOICE_ALIASES, name) ? VOICE_ALIASES[name] : undefined)
}

export const aliasesOf = ({ id }: Voice, voices: readonly Voice[]): string[] =>
  Object.keys(VOICE_ALIASES).filter((alias) => resolveVoice(voices, alias)?.id === id && alias !== id)
