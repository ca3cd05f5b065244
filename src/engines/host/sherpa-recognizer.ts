import { availableParallelism } from 'node:os'
import { childEntry } from '../../platform/child-entry.ts'
import {
  type Outcome,
  type Recognition,
  type RecognitionRequest,
  SAMPLE_RATE_HZ,
  type Samples,
  type Sleeper,
  type SpeechRecognizer,
} from '../../speech/ports.ts'
import type { Segment } from '../../speech/transcript.ts'
import { alignByEnergy } from './align-by-energy.ts'
import { attempt } from './attempt.ts'
import { createEngineHost, type EngineHost, type EngineLimits } from './engine-host.ts'
import { soundLevels } from './sound-levels.ts'
import { wordsFromTokens } from './word-times.ts'

export type SherpaSettings = { readonly config: unknown }
export type SherpaRequest = { readonly samples: Samples }
export type SherpaAnswer = {
  readonly text: string
  readonly tokens: readonly string[]
  /** By token; empty where the model has no times. */
  readonly startSeconds: readonly number[]
  readonly logProbs: readonly number[]
}

export type SherpaRecognizerOptions = {
  readonly name: string
  /** A configuration of sherpa-onnx's offline recogniser, passed on as it is. */
  readonly config: unknown
  /** Files the configuration names, made before the first request. */
  readonly prepare?: () => Promise<void>
  /** Clips decoded at once: one per core is fastest, with one thread each. */
  readonly concurrency?: number
  readonly limits?: Partial<EngineLimits> | undefined
}

/** Where the model says nothing of its certainty. */
const UNKNOWN_CONFIDENCE = 0.5

export function openSherpaRecognizer(options: SherpaRecognizerOptions): SpeechRecognizer {
  const { name, config, concurrency = availableParallelism(), prepare } = options
  const settings: SherpaSettings = { config }
  const host = createEngineHost<SherpaRequest, SherpaAnswer>({
    name,
    entry: childEntry(import.meta.url, './sherpa-child'),
    settings,
    limits: { concurrency, requestTimeoutMs: 120_000, maxQueue: 256, ...options.limits },
    env: { UV_THREADPOOL_SIZE: String(Math.max(4, concurrency + 1)) },
  })
  let prepared: Promise<void> | undefined
  const ready = async () => {
    prepared ??= prepare?.().catch(forget)
    await prepared
  }
  return {
    name,
    sleepers: [{ keep: () => keepAfter(ready(), host) }],
    async recognize(requests, signal) {
      await ready()
      const outcomes: Outcome<Recognition>[] = []
      // A queue of our own length: a long list must not be refused as too much at once.
      const waiting = [...requests.entries()]
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          outcomes[next[0]] = await recognizeOne(host, next[1], signal)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, work))
      return outcomes
    },
    close: () => host.close(),
  }

  function forget(error: unknown): never {
    prepared = undefined
    throw error
  }
}

/** Files first: a model that is loaded without them fails. */
function keepAfter(files: Promise<void>, host: Sleeper): ReturnType<Sleeper['keep']> {
  let kept: ReturnType<Sleeper['keep']> | undefined
  let isWanted = true
  const ready = files.then(
    () => {
      if (isWanted) kept = host.keep()
      return kept?.ready
    },
    () => undefined,
  )
  const release = () => {
    isWanted = false
    kept?.release()
  }
  return { ready, release }
}

async function recognizeOne(
  host: EngineHost<SherpaRequest, SherpaAnswer>,
  { samples, language, isLive }: RecognitionRequest,
  signal?: AbortSignal,
): Promise<Outcome<Recognition>> {
  return attempt(async () => {
    const answer = await host.request({ samples }, signal, isLive)
    return { segments: toSegments(answer, language, samples) }
  })
}

function toSegments(answer: SherpaAnswer, language: string, samples: Samples): Segment[] {
  const text = answer.text.trim()
  if (text === '') return []
  const { tokens, startSeconds, logProbs } = answer
  const isTimed = startSeconds.length > 0 && startSeconds.length === tokens.length
  const durationMs = Math.round((samples.length * 1000) / SAMPLE_RATE_HZ)
  const words = isTimed
    ? wordsFromTokens(tokens, startSeconds, durationMs)
    : alignByEnergy(text, soundLevels(samples), 0, durationMs)
  const confidence = logProbs.length === 0 ? UNKNOWN_CONFIDENCE : Math.exp(mean(logProbs))
  const startMs = words[0]?.startMs ?? 0
  return [{ startMs, endMs: words.at(-1)?.endMs ?? durationMs, text, language, confidence, words, tags: [] }]
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length
