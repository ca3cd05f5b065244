import { childEntry } from '../../platform/child-entry.ts'
import type { Language } from '../../speech/language.ts'
import type { Phonemizer } from '../../speech/ports.ts'
import { createEngineHost, type EngineLimits } from '../host/engine-host.ts'
import type { EspeakAnswer, EspeakRequest } from './espeak-child.ts'

const VOICES: Readonly<Record<Language, string>> = { en: 'en-us' }

/**
 * espeak-ng in a process of its own: the wasm build blocks while it works, and it is GPL-3 while the service is not, so the
 * two only exchange messages.
 */
export function createEspeakPhonemizer(limits: Partial<EngineLimits> = {}): Phonemizer {
  const host = createEngineHost<EspeakRequest, EspeakAnswer>({
    name: 'espeak',
    entry: childEntry(import.meta.url, './espeak-child'),
    settings: {},
    limits: { requestTimeoutMs: 30_000, maxRssBytes: 500_000_000, ...limits },
  })
  return {
    async phonemize(texts, signal) {
      const spoken = texts.map(({ text, language }) => ({ text, voice: VOICES[language] ?? language }))
      return (await host.request(spoken, signal)).map(tidy)
    },
    sleepers: [host],
    close: () => host.close(),
  }
}

/** espeak marks every phoneme's end by `_` and each change of language by its name in brackets; neither is said. */
const tidy = (ipa: string): string =>
  ipa
    .replaceAll(/\([a-z-]+\)/g, '')
    .replaceAll(/[_\u200d]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
