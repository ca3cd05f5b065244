import type { AudioBlock } from '../audio/audio-block.ts'
import { throwIfCancelled } from '../audio/cancelled.ts'
import type { LanguageScores } from '../speech/language.ts'
import { SAMPLE_RATE_HZ, type Samples, type VoiceDetector, type VoiceStream } from '../speech/ports.ts'
import {
  ChunkPlanner,
  DEFAULT_PLAN,
  type PlannedChunk,
  type PlanSettings,
  type Span,
  VOICE_WINDOW_MS,
} from './plan-chunks.ts'
import { SoundPlanner } from './plan-sounds.ts'
import { SampleWindow } from './sample-window.ts'

export type SpeechChunk = PlannedChunk & {
  readonly index: number
  readonly samples: Samples
  /** Which side of a two-channel recording each 20 ms came from, -1 left to 1 right; absent for one channel. */
  readonly channelBalance?: Float32Array
  /** Empty: nobody speaks in it, and it is there for its sound alone. Absent: somebody does. */
  readonly languageScores?: LanguageScores
}

/** The chunks of one recording, once, in order, no faster than they are taken. */
export interface FileSplit extends AsyncIterable<SpeechChunk> {
  /** How much of the recording has been heard; its whole length once the chunks have come to their end. */
  readonly durationMs: number
}

export type SplitOptions = {
  readonly plan?: PlanSettings
  /** Also cut out what sounds although nobody speaks. */
  readonly withSounds?: boolean
  readonly signal?: AbortSignal | undefined
}

const WINDOW_SAMPLES = (SAMPLE_RATE_HZ * VOICE_WINDOW_MS) / 1000

/** Cuts decoded sound into chunks of speech, and of other sound where that is wanted, and drops the silence. Memory holds about one chunk, however long the file. */
export function splitFile(
  detector: VoiceDetector,
  blocks: AsyncIterable<AudioBlock>,
  options: SplitOptions = {},
): FileSplit {
  const sound = new SampleWindow()
  return {
    get durationMs() {
      return Math.round(sound.endMs)
    },
    [Symbol.asyncIterator]: () => cutChunks(detector, blocks, sound, options),
  }
}

async function* cutChunks(
  detector: VoiceDetector,
  blocks: AsyncIterable<AudioBlock>,
  sound: SampleWindow,
  { plan = DEFAULT_PLAN, withSounds = false, signal }: SplitOptions,
): AsyncGenerator<SpeechChunk> {
  const planner = new ChunkPlanner(plan)
  const sounds = withSounds ? new SoundPlanner() : undefined
  const voice = await detector.open()
  let index = 0
  const cut = (planned: Planned): SpeechChunk => cutOut(sound, planned, index++)
  try {
    for await (const block of blocks) {
      throwIfCancelled(signal)
      sound.push(block)
      for (const planned of await listen(voice, block.samples, planner, sounds, sound)) yield cut(planned)
      sound.dropBefore(Math.min(planner.neededFromMs, sounds?.neededFromMs ?? Number.POSITIVE_INFINITY))
    }
    for (const planned of await listen(voice, fillWindow(sound.endMs), planner, sounds, sound)) yield cut(planned)
    const endMs = Math.ceil(sound.endMs)
    for (const last of [planner.end(endMs), soundOnly(sounds?.end(endMs))]) if (last) yield cut(last)
  } finally {
    await voice.close()
  }
}

type Planned = PlannedChunk & Pick<SpeechChunk, 'languageScores'>

const soundOnly = (span: Span | undefined): Planned | undefined =>
  span && { startMs: span[0], endMs: span[1], overlapMs: 0, speechRegions: [], languageScores: {} }

/** Windows and blocks do not end together: a window is judged when its last sample has come. */
async function listen(
  voice: VoiceStream,
  samples: Samples,
  planner: ChunkPlanner,
  sounds: SoundPlanner | undefined,
  sound: SampleWindow,
) {
  const probabilities = await voice.push(samples)
  const planned: Planned[] = []
  for (const probability of probabilities) {
    const startMs = planner.nowMs
    const energy = energyOf(sound.samples(startMs, startMs + VOICE_WINDOW_MS))
    const chunk = planner.push(probability, energy)
    const levelDb = 10 * Math.log10(energy / WINDOW_SAMPLES + 1e-12)
    const other = soundOnly(sounds?.push({ startMs, levelDb, isSpeech: planner.isHearing }))
    for (const each of [chunk, other]) if (each) planned.push(each)
  }
  return planned
}

/** Silence that completes the last window, so that the end of the recording is judged too. */
function fillWindow(endMs: number): Samples {
  const over = Math.round((endMs * SAMPLE_RATE_HZ) / 1000) % WINDOW_SAMPLES
  return new Float32Array(over === 0 ? 0 : WINDOW_SAMPLES - over)
}

function energyOf(samples: Samples): number {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return energy
}

function cutOut(sound: SampleWindow, planned: Planned, index: number): SpeechChunk {
  const samples = sound.samples(planned.startMs, planned.endMs)
  const channelBalance = sound.balance(planned.startMs, planned.endMs)
  return { ...planned, index, samples, ...(channelBalance ? { channelBalance } : {}) }
}
