import { effect, signal } from '@preact/signals'

export const LANGUAGES = ['en', 'hi'] as const
export type Language = (typeof LANGUAGES)[number]
const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Remembered where the browser allows it; a private window may not. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

export function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Then it lasts as long as the page.
  }
}

const oneOf = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((each) => each === value)

const spoken = (): Language => (navigator.language.startsWith('hi') ? 'hi' : 'en')

export const language = signal<Language>(oneOf(LANGUAGES, recall('lipik.language')) ?? spoken())
export const theme = signal<Theme>(oneOf(THEMES, recall('lipik.theme')) ?? 'auto')

effect(() => {
  document.documentElement.lang = language.value
  remember('lipik.language', language.value)
})
effect(() => {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
  remember('lipik.theme', theme.value)
})

export const nextTheme = (): void => {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
}
