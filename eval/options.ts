import { parseArgs } from 'node:util'

export const USAGE = `npm run eval -- --manifest FILE [--limit N] [--json OUT] [--baseline] [--variants] [--join MINUTES LANGUAGE]

  --manifest FILE           a TSV with the columns file, language, duration_s, transcript; paths count from it
  --limit N                 the first N clips of each language, with --variants of each folder
  --only TEXT               clips whose file begins so; may be given several times
  --json OUT                the figures as JSON
  --baseline                the same clips through plain transformers.js with the same weights, and the ratios
  --variants                the Hindi clips as published, prepared, adapted, and with each decoding option
  --mixed                   Hindi sentences with English words, spoken by the service's own voices; needs no manifest
  --speech-information      what is heard besides the words: pauses, tones, speakers, times of words, tags, and what that costs
  --table NAME              with --speech-information: this table alone; may be given several times
  --join MINUTES LANGUAGE   one long recording out of the clips of a language, held against the clips one by one
  --non-speech SECONDS      length of the silence, noise and tones that are heard besides (default 30, 0 for none)
  --show                    what was said and heard, clip by clip`

export type EvalOptions = {
  readonly manifest: string
  readonly limit: number | undefined
  readonly only: readonly string[]
  readonly json: string | undefined
  readonly baseline: boolean
  readonly variants: boolean
  readonly mixed: boolean
  readonly speechInformation: boolean
  readonly tables: readonly string[]
  readonly join: { readonly minutes: number; readonly language: string } | undefined
  readonly nonSpeechSeconds: number
  readonly show: boolean
}

export function readOptions(args: readonly string[]): EvalOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      manifest: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      variants: { type: 'boolean', default: false },
      mixed: { type: 'boolean', default: false },
      'speech-information': { type: 'boolean', default: false },
      table: { type: 'string', multiple: true, default: [] },
      baseline: { type: 'boolean', default: false },
      join: { type: 'string' },
      'non-speech': { type: 'string', default: '30' },
      show: { type: 'boolean', default: false },
    },
  })
  if (!values.manifest && !values.mixed) throw new Error('--manifest FILE is required')
  const join = values.join === undefined ? undefined : readJoin(values.join, positionals)
  if (!join && positionals.length > 0) throw new Error(`nothing is known about "${positionals.join(' ')}"`)
  return {
    manifest: values.manifest ?? '',
    limit: values.limit === undefined ? undefined : positive('--limit', values.limit),
    only: values.only,
    variants: values.variants,
    mixed: values.mixed,
    speechInformation: values['speech-information'],
    tables: values.table,
    json: values.json,
    baseline: values.baseline,
    join,
    nonSpeechSeconds: values['non-speech'] === '0' ? 0 : positive('--non-speech', values['non-speech']),
    show: values.show,
  }
}

function readJoin(minutes: string, [language, ...more]: readonly string[]) {
  if (!language || more.length > 0) throw new Error('--join takes two values: MINUTES and LANGUAGE')
  return { minutes: positive('--join', minutes), language }
}

function positive(option: string, text: string): number {
  const number = Number(text)
  if (number > 0) return number
  throw new Error(`${option} takes a number above 0, not "${text}"`)
}
