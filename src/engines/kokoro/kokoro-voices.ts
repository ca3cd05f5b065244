import type { Voice } from '../../speech/voice.ts'

/** Weights of Kokoro's own voice vectors; a mixture of two speaks with a third voice. */
export type KokoroVoice = Voice & {
  readonly blend: Readonly<Record<string, number>>
  /** Where vectors lie that are not Kokoro's own. */
  readonly folder?: string
}

/** Tamil has no vectors of its own: the Hindi ones read Tamil phonemes best. */
export const KOKORO_VOICES: readonly KokoroVoice[] = [
  { id: 'ananya', language: 'hi', gender: 'female', blend: { hf_alpha: 1 } },
  { id: 'arjun', language: 'hi', gender: 'male', blend: { hm_omega: 1 } },
  { id: 'kabir', language: 'hi', gender: 'male', blend: { hm_psi: 1 } },
  { id: 'rohan', language: 'hi', gender: 'male', blend: { hm_omega: 0.5, hm_psi: 0.5 } },
  { id: 'kavya', language: 'ta', gender: 'female', blend: { hf_beta: 1 } },
  { id: 'meena', language: 'ta', gender: 'female', blend: { hf_alpha: 0.5, hf_beta: 0.5 } },
  { id: 'surya', language: 'ta', gender: 'male', blend: { hm_psi: 0.6, am_michael: 0.4 } },
  { id: 'tara', language: 'en', gender: 'female', blend: { af_heart: 1 } },
  { id: 'diya', language: 'en', gender: 'female', blend: { bf_emma: 1 } },
  { id: 'neel', language: 'en', gender: 'male', blend: { am_michael: 1 } },
  { id: 'dev', language: 'en', gender: 'male', blend: { am_fenrir: 1 } },
  { id: 'ishaan', language: 'en', gender: 'male', blend: { am_puck: 1 } },
]
