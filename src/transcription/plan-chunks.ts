/** How long a window is that one voice probability stands for. */
export const VOICE_WINDOW_MS = 32

export type PlanSettings = {
  /** Speech begins at this probability and goes on while it stays above the second, lower one. */
  readonly speechThreshold: number
  readonly silenceThreshold: number
  /** A detector that has heard other voices takes a soft beginning for speech late: so much before it is kept too, while at least so likely. */
  readonly onsetThreshold: number
  readonly maxOnsetMs: number
  /** A shorter sound is a click, not a word. */
  readonly minSpeechMs: number
  /** A shorter gap is inside a word or between two; it does not end the speech. */
  readonly minSilenceMs: number
  /** Kept around speech: detectors hear soft beginnings and endings late. */
  readonly padMs: number
  readonly maxChunkMs: number
  /** A chunk this long ends with its next pause: recognisers err more in long clips, and take longer over each word. */
  readonly enoughMs: number
  /** Speech further apart than this is not put into one chunk; nearer, a short utterance gains from its neighbours. */
  readonly maxGapMs: number
  /** Where speech never pauses the cut is looked for in so much of the chunk's end. */
  readonly cutSearchMs: number
  /** What both chunks hear around a cut through speech. */
  readonly overlapMs: number
}

export const DEFAULT_PLAN: PlanSettings = {
  speechThreshold: 0.5,
  silenceThreshold: 0.35,
  onsetThreshold: 0.1,
  maxOnsetMs: 320,
  minSpeechMs: 100,
  minSilenceMs: 300,
  padMs: 200,
  maxChunkMs: 28_000,
  enoughMs: 3_000,
  maxGapMs: 700,
  cutSearchMs: 6_000,
  overlapMs: 1_000,
}

export type Span = readonly [startMs: number, endMs: number]

export type PlannedChunk = {
  readonly startMs: number
  readonly endMs: number
  /** How much of the chunk's start is also the end of the chunk before; zero where the cut is in silence. */
  readonly overlapMs: number
  readonly speechRegions: readonly Span[]
}

type VoiceWindow = { readonly endMs: number; readonly probability: number; readonly energy: number }
/** `onsetMs`: where what is heard as speech from `startMs` on began softly. */
type OpenRegion = { readonly startMs: number; readonly onsetMs: number; voicedUntilMs: number }
type OpenChunk = { readonly startMs: number; readonly overlapMs: number; readonly regions: Span[] }
type Cut = { readonly atMs: number; readonly overlapMs: number }

/** Two windows below the threshold are a breath; one may be a stop consonant. */
const BREATH_WINDOWS = 2

/**
 * Decides, window by window, where a recording is cut. A region of speech opens and closes by hysteresis; closed regions
 * gather in a chunk until there is enough of it, the next would not fit, or the silence grows long. A region that alone is longer than a chunk is
 * cut at a breath, or failing that at its quietest point with an overlap. Holds seconds, never the whole recording.
 */
export class ChunkPlanner {
  readonly #plan: PlanSettings
  readonly #recent: VoiceWindow[] = []
  #nowMs = 0
  #freeFromMs = 0
  #spokenUntilMs = 0
  #region: OpenRegion | undefined
  #chunk: OpenChunk | undefined

  constructor(plan: PlanSettings = DEFAULT_PLAN) {
    this.#plan = plan
  }

  /** Where the next window begins. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** Whether the last window was inside speech, or not yet long enough after it. */
  get isHearing(): boolean {
    return this.#region !== undefined
  }

  /** Sound before this will be in no chunk that is still to come. */
  get neededFromMs(): number {
    if (this.#chunk) return this.#chunk.startMs
    return this.#padded(this.#region?.onsetMs ?? this.#nowMs - this.#plan.maxOnsetMs)
  }

  /** The next window of the recording; answers with the chunk that is complete with it, if one is. */
  push(probability: number, energy: number): PlannedChunk | undefined {
    const startMs = this.#nowMs
    this.#nowMs += VOICE_WINDOW_MS
    this.#remember({ endMs: this.#nowMs, probability, energy })
    if (!this.#region && probability >= this.#plan.speechThreshold) {
      this.#region = { startMs, onsetMs: this.#onsetOf(startMs), voicedUntilMs: this.#nowMs }
    }
    if (this.#region && probability >= this.#plan.silenceThreshold) this.#region.voicedUntilMs = this.#nowMs
    if (this.#region && this.#nowMs - this.#region.voicedUntilMs >= this.#plan.minSilenceMs) this.#closeRegion()
    return this.#region ? this.#cutIfFull(this.#region) : this.#finishIfQuiet()
  }

  /** The recording ends here; what is open is closed. */
  end(totalMs: number): PlannedChunk | undefined {
    this.#nowMs = totalMs
    this.#closeRegion()
    return this.#chunk && this.#finish(this.#chunk, undefined)
  }

  #onsetOf(startMs: number): number {
    const { onsetThreshold, maxOnsetMs } = this.#plan
    const before = this.#recent.slice(0, -1)
    const notYet = before.findLastIndex(({ probability }) => probability < onsetThreshold)
    const soft = (before.length - 1 - notYet) * VOICE_WINDOW_MS
    return Math.max(this.#freeFromMs, this.#spokenUntilMs, startMs - Math.min(soft, maxOnsetMs))
  }

  #padded(onsetMs: number): number {
    return Math.max(this.#freeFromMs, onsetMs - this.#plan.padMs)
  }

  #remember(window: VoiceWindow): void {
    this.#recent.push(window)
    if (this.#recent.length * VOICE_WINDOW_MS > this.#plan.cutSearchMs) this.#recent.shift()
  }

  #closeRegion(): void {
    if (!this.#region) return
    const { startMs, onsetMs, voicedUntilMs } = this.#region
    this.#spokenUntilMs = voicedUntilMs
    this.#region = undefined
    const isRestOfCut = this.#chunk?.regions.length === 0
    // What a cut left over without an overlap is in no other chunk: it is kept however short.
    const isKept = isRestOfCut && this.#chunk?.overlapMs === 0
    if (voicedUntilMs - startMs < this.#plan.minSpeechMs && !isKept) {
      if (isRestOfCut) this.#chunk = undefined
      return
    }
    this.#chunk ??= { startMs: this.#padded(onsetMs), overlapMs: 0, regions: [] }
    this.#chunk.regions.push([startMs, Math.min(voicedUntilMs, this.#nowMs)])
  }

  #cutIfFull(region: OpenRegion): PlannedChunk | undefined {
    const startMs = this.#chunk?.startMs ?? this.#padded(region.onsetMs)
    if (this.#nowMs + this.#plan.padMs < startMs + this.#plan.maxChunkMs) return undefined
    if (this.#chunk && this.#chunk.regions.length > 0) return this.#finish(this.#chunk, region.startMs)
    return this.#cutThrough(region, this.#chunk ?? { startMs, overlapMs: 0, regions: [] })
  }

  #finishIfQuiet(): PlannedChunk | undefined {
    const lastMs = this.#chunk?.regions.at(-1)?.[1]
    if (!this.#chunk || lastMs === undefined) return undefined
    const isEnough = lastMs - this.#chunk.startMs >= this.#plan.enoughMs
    if (!isEnough && this.#nowMs - lastMs < this.#plan.maxGapMs) return undefined
    return this.#finish(this.#chunk, undefined)
  }

  #finish({ startMs, overlapMs, regions }: OpenChunk, nextMs: number | undefined): PlannedChunk {
    const lastMs = regions.at(-1)?.[1] ?? startMs
    const halfWayMs = nextMs === undefined ? Number.POSITIVE_INFINITY : (lastMs + nextMs) / 2
    const endMs = Math.min(lastMs + this.#plan.padMs, this.#nowMs, halfWayMs)
    this.#chunk = undefined
    this.#freeFromMs = endMs
    return { startMs, endMs, overlapMs, speechRegions: regions }
  }

  #cutThrough(region: OpenRegion, chunk: OpenChunk): PlannedChunk {
    const cut = this.#findCut()
    const endMs = cut.atMs + cut.overlapMs / 2
    const nextMs = cut.atMs - cut.overlapMs / 2
    this.#chunk = { startMs: nextMs, overlapMs: cut.overlapMs, regions: [] }
    this.#region = { startMs: nextMs, onsetMs: nextMs, voicedUntilMs: region.voicedUntilMs }
    this.#freeFromMs = endMs
    return {
      startMs: chunk.startMs,
      endMs,
      overlapMs: chunk.overlapMs,
      speechRegions: [...chunk.regions, [region.startMs, endMs]],
    }
  }

  /** Half an overlap stays free behind the cut, so that the first of the two chunks can hear it whole. */
  #findCut(): Cut {
    const { overlapMs, silenceThreshold } = this.#plan
    const lastMs = this.#nowMs - overlapMs / 2
    const windows = this.#recent.filter(({ endMs }) => endMs <= lastMs)
    const breath = longestRun(windows, ({ probability }) => probability < silenceThreshold)
    if (breath.length >= BREATH_WINDOWS) return { atMs: middleOf(breath), overlapMs: 0 }
    return { atMs: middleOf(quietest(windows)), overlapMs }
  }
}

function longestRun(windows: readonly VoiceWindow[], holds: (window: VoiceWindow) => boolean): VoiceWindow[] {
  let longest: VoiceWindow[] = []
  let run: VoiceWindow[] = []
  for (const window of windows) {
    run = holds(window) ? [...run, window] : []
    if (run.length > longest.length) longest = run
  }
  return longest
}

/** The three neighbouring windows with the least energy between them. */
function quietest(windows: readonly VoiceWindow[]): VoiceWindow[] {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (let at = 0; at + 3 <= windows.length; at++) {
    const energy = windows.slice(at, at + 3).reduce((sum, window) => sum + window.energy, 0)
    if (energy < least) [best, least] = [at, energy]
  }
  return windows.slice(best, best + 3)
}

function middleOf(windows: readonly VoiceWindow[]): number {
  const startMs = (windows[0]?.endMs ?? VOICE_WINDOW_MS) - VOICE_WINDOW_MS
  return (startMs + (windows.at(-1)?.endMs ?? startMs)) / 2
}
