import { z } from 'zod'
import { LipikError } from '../../platform/errors.ts'
import { type RecognitionRequest, SAMPLE_RATE_HZ } from '../../speech/ports.ts'
import type { Segment } from '../../speech/transcript.ts'
import { spreadWords } from '../host/word-times.ts'
import { wavOf } from './wav-of.ts'

export type RemoteServer = {
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  readonly timeoutMs: number
}

const Answer = z.object({
  text: z.string(),
  segments: z
    .array(z.object({ start: z.number(), end: z.number(), text: z.string(), avg_logprob: z.number().nullish() }))
    .nullish(),
})

/** Where the server says nothing of its certainty. */
const UNKNOWN_CONFIDENCE = 0.5

export async function askServer(
  server: RemoteServer,
  request: RecognitionRequest,
  signal: AbortSignal,
): Promise<Segment[]> {
  const response = await post(server, request, signal)
  if (!response.ok) throw await refusal(response)
  const answer = Answer.safeParse(await response.json().catch(() => undefined))
  if (!answer.success) throw new LipikError('engine_crashed', 'the transcription server answered what is no transcript')
  const durationMs = Math.round((request.samples.length * 1000) / SAMPLE_RATE_HZ)
  const whole = { start: 0, end: durationMs / 1000, text: answer.data.text, avg_logprob: null }
  const parts = answer.data.segments?.length ? answer.data.segments : [whole]
  return parts.flatMap(({ start, end, text, avg_logprob }) => {
    if (text.trim() === '') return []
    const startMs = Math.min(durationMs, Math.round(start * 1000))
    const endMs = Math.min(durationMs, Math.max(startMs, Math.round(end * 1000)))
    const confidence = typeof avg_logprob === 'number' ? Math.min(1, Math.exp(avg_logprob)) : UNKNOWN_CONFIDENCE
    const words = spreadWords(text, startMs, endMs)
    return [{ startMs, endMs, text: text.trim(), language: request.language, confidence, words, tags: [] }]
  })
}

async function post(server: RemoteServer, { samples, language }: RecognitionRequest, signal: AbortSignal) {
  const form = new FormData()
  form.set('file', new File([wavOf(samples)], 'clip.wav', { type: 'audio/wav' }))
  form.set('model', server.model)
  form.set('language', language)
  form.set('response_format', 'verbose_json')
  form.set('temperature', '0')
  const limit = AbortSignal.timeout(server.timeoutMs)
  try {
    return await fetch(`${server.url.replace(/\/$/, '')}/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: server.apiKey ? { authorization: `Bearer ${server.apiKey}` } : {},
      signal: AbortSignal.any([signal, limit]),
    })
  } catch (error) {
    if (limit.aborted) {
      throw new LipikError('engine_timeout', `the transcription server gave no answer in ${server.timeoutMs} ms`)
    }
    throw new LipikError('unavailable', 'the transcription server cannot be reached', { cause: error })
  }
}

/** 4xx is our request or our key and stays wrong; too many requests and 5xx pass. */
async function refusal(response: Response): Promise<LipikError> {
  await response.body?.cancel()
  const message = `the transcription server answered ${response.status}`
  if (response.status === 429) return new LipikError('engine_busy', message)
  if (response.status === 413) return new LipikError('too_large', message)
  if (response.status >= 500 || response.status === 408) return new LipikError('unavailable', message)
  return new LipikError('invalid_request', message)
}
