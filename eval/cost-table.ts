import { joinSounds } from '../scripts/shape-sound.ts'
import { SAMPLE_RATE_HZ } from '../src/speech/ports.ts'
import { decodeClip } from './decode-clip.ts'
import { hearFile, type Listener } from './hear-file.ts'
import { familyCpuSeconds } from './process-memory.ts'
import { type Clip, isSpeech, takeOfEach } from './read-manifest.ts'
import { silence } from './speak-lines.ts'
import type { Table } from './speech-information.ts'

const SECONDS = 60
/** A sound every so many clips of speech. */
const SOUND_EVERY = 5
const ROUNDS = 2

/** One recording of speech with a sound now and then, with speech information and without, in turn. */
export async function costTable(listener: Listener, clips: readonly Clip[], seconds = SECONDS): Promise<Table> {
  const samples = await makeRecording(clips, seconds)
  const hear = {
    without: () => hearFile(listener, samples, listener.speech.transcriber),
    with: () => hearFile(listener, samples),
  }
  for (const each of Object.values(hear)) await each()
  const spent = { without: { wall: 0, cpu: 0 }, with: { wall: 0, cpu: 0 } }
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      const [startMs, cpu] = [performance.now(), await familyCpuSeconds()]
      await hear[way]()
      spent[way].wall += (performance.now() - startMs) / 1000
      spent[way].cpu += (await familyCpuSeconds()) - cpu
    }
  }
  const ratio = (of: 'wall' | 'cpu') => Math.round((1000 * spent.with[of]) / spent.without[of]) / 1000
  const figures = {
    seconds: samples.length / SAMPLE_RATE_HZ,
    time_ratio: ratio('wall'),
    processor_ratio: ratio('cpu'),
    spent,
  }
  const line = `${figures.seconds.toFixed(0)} s, ${ROUNDS} times each: with over without ${figures.time_ratio} in time, ${figures.processor_ratio} in processor time`
  return { name: 'cost of speech information', lines: [line], figures }
}

async function makeRecording(clips: readonly Clip[], seconds: number) {
  const spoken = takeOfEach(clips.filter(isSpeech), 6)
  const sounds = clips.filter((clip) => !isSpeech(clip))
  const parts: Float32Array[] = []
  for (let nth = 0, length = 0; length < seconds * SAMPLE_RATE_HZ; nth++) {
    const isSound = nth % SOUND_EVERY === SOUND_EVERY - 1 && sounds.length > 0
    const from = isSound ? sounds : spoken
    // Far apart in the list: of every kind one.
    const clip = from[(nth * 7) % from.length]
    if (!clip) throw new Error('the manifest has no speech')
    const part = await decodeClip(clip.path)
    parts.push(part, silence(600))
    length += part.length + silence(600).length
  }
  return joinSounds(parts)
}
