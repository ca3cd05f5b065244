import { z } from 'zod'

/** One environment variable. What it means and how it is written stands beside what checks it: the page is made from this. */
export type Setting<T> = {
  readonly meaning: string
  /** What a value looks like, in words. */
  readonly form: string
  /** The default as one would write it in the environment; absent: the setting may be unset. */
  readonly fallback: string | undefined
  /** Shown on the page where the default is worked out rather than fixed. */
  readonly fallbackNote?: string
  /** Its value never appears in a message. */
  readonly secret?: boolean
  readonly schema: z.ZodType<T, string>
}

type Bounds = { readonly min: number; readonly max?: number; readonly unit?: string }

export const integer = (meaning: string, fallback: number, bounds: Bounds): Setting<number> => ({
  meaning,
  form: numberForm('a whole number', bounds),
  fallback: String(fallback),
  schema: z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().int().min(bounds.min).max(largest(bounds))),
})

export const decimal = (meaning: string, fallback: number, bounds: Bounds): Setting<number> => ({
  meaning,
  form: numberForm('a number', bounds),
  fallback: String(fallback),
  schema: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(bounds.min).max(largest(bounds))),
})

export const flag = (meaning: string, fallback: boolean): Setting<boolean> => ({
  meaning,
  form: '`true` or `false`',
  fallback: String(fallback),
  schema: z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1'),
})

export const choice = <const V extends string>(meaning: string, fallback: V, values: readonly V[]): Setting<V> => ({
  meaning,
  form: `one of ${values.map((value) => `\`${value}\``).join(', ')}`,
  fallback,
  schema: z.enum(values),
})

export const text = (meaning: string, fallback: string, form = 'text', pattern = /^/): Setting<string> => ({
  meaning,
  form,
  fallback,
  schema: z.string().regex(pattern),
})

export const address = (meaning: string, protocol: RegExp, form: string): Setting<string> => ({
  meaning,
  form,
  fallback: '',
  schema: z.url({ protocol }),
})

export const secret = (meaning: string): Setting<string> => ({ ...text(meaning, ''), secret: true })

/** `5,15,45` */
export const seconds = (meaning: string, fallback: string): Setting<readonly number[]> => ({
  meaning,
  form: 'comma-separated whole numbers, in seconds',
  fallback,
  schema: z
    .string()
    .regex(/^\d+( *, *\d+)*$/)
    .transform((value) => value.split(',').map(Number)),
})

/** `hi,en` */
export const words = (meaning: string, fallback: string, form: string, word: RegExp): Setting<readonly string[]> => ({
  meaning,
  form,
  fallback,
  schema: z
    .string()
    .transform((value) => value.split(',').map((each) => each.trim()))
    .pipe(z.array(z.string().regex(word)).min(1)),
})

/** Without a value unless one is given. */
export const optional = <T>(setting: Setting<T>, fallbackNote = 'none'): Setting<T | undefined> => ({
  ...setting,
  fallback: undefined,
  fallbackNote,
})

const largest = ({ max }: Bounds): number => max ?? Number.MAX_SAFE_INTEGER

function numberForm(kind: string, { min, max, unit }: Bounds): string {
  const range = max === undefined ? `at least ${min}` : `${min} to ${max}`
  return `${kind}${unit === undefined ? '' : ` of ${unit}`}, ${range}`
}
