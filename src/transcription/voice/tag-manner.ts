import type { TimedTag } from '../../speech/transcript.ts'
import type { Manner } from './speaking-manner.ts'

/** A shout is louder, brighter and higher than the speaker's ordinary voice; turning up the volume makes it only louder. */
const SHOUT = { levelDb: 6, tiltDb: 3, pitch: 0.25 }
/** A whisper is soft and has almost no voice in it; a bad line takes the voice away from everybody alike. */
const WHISPER = { voiced: 0.25, voicedLess: 0.3, levelDb: -3 }

/** Shouting or whispering, from a segment's manner against its speaker's ordinary one. */
export function tagManner(
  manner: Manner,
  ordinary: Manner,
  place: { readonly startMs: number; readonly endMs: number },
): TimedTag[] {
  const { startMs, endMs } = place
  const over = {
    levelDb: manner.levelDb - ordinary.levelDb,
    tiltDb: manner.tiltDb - ordinary.tiltDb,
    pitch: manner.pitch - ordinary.pitch,
  }
  const shout = Math.min(over.levelDb / SHOUT.levelDb, over.tiltDb / SHOUT.tiltDb, over.pitch / SHOUT.pitch)
  if (shout >= 1) return [{ tag: 'shouting', startMs, endMs, confidence: sureness(shout) }]
  const isVoiceless = manner.voiced < WHISPER.voiced && ordinary.voiced - manner.voiced > WHISPER.voicedLess
  if (!isVoiceless || over.levelDb > WHISPER.levelDb) return []
  return [
    { tag: 'whispering', startMs, endMs, confidence: sureness(ordinary.voiced / Math.max(0.01, manner.voiced + 0.25)) },
  ]
}

/** At the threshold even odds, at twice its value almost certain. */
const sureness = (times: number): number => Math.round(100 * (1 - 0.5 * Math.exp(-2.5 * (times - 1)))) / 100
