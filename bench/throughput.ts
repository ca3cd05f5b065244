import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { LipikClient } from '../client/src/lipik-client.ts'
import { joinClips } from '../eval/make-recordings.ts'
import { openProduct } from '../eval/open-product.ts'
import { type Clip, readManifest } from '../eval/read-manifest.ts'
import { runLipik } from '../test/support/run-lipik.ts'
import type { Bench } from './support/figure.ts'

/** Twenty minutes of speech, the languages in turn. */
const MANIFEST = process.env.BENCH_MANIFEST ?? 'test/fixtures/manifest.tsv'
const LANGUAGES = (process.env.BENCH_LANGUAGES ?? 'hi,en').split(',')
const RECORDINGS = Number(process.env.BENCH_RECORDINGS ?? 20)

/** The whole service, with its queue, database and storage, beside the speech library alone on the same recordings. */
export const bench: Bench = async (say) => {
  const folder = await mkdtemp(join(tmpdir(), 'lipik-throughput-'))
  try {
    const recordings = await makeRecordings(folder)
    const audioSeconds = recordings.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
    const library = await libraryTexts(recordings)
    say(`library: ${audioSeconds.toFixed(0)} s of audio in ${library.seconds.toFixed(1)} s`)
    const service = await serviceTexts(recordings, folder)
    say(`service: the same in ${service.seconds.toFixed(1)} s`)
    const words = (text = '') => text.replaceAll(/\[\w+\]\s*/g, '').trim()
    const same = recordings.filter(
      ({ name }) => words(library.texts.get(name)) === words(service.texts.get(name)),
    ).length
    say(`${same} of ${recordings.length} recordings have the same words from both`)
    const value = audioSeconds / service.seconds
    return [
      {
        name: 'throughput of the service',
        value,
        unit: 'seconds of audio per second',
        baseline: 'the speech library alone',
        ratio: value / (audioSeconds / library.seconds),
        spread: 0,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeRecordings(folder: string): Promise<Clip[]> {
  const clips = (await readManifest(MANIFEST)).filter(({ transcript }) => transcript !== '')
  const recordings: Clip[] = []
  for (let at = 0; at < RECORDINGS; at += 1) {
    const own = clips.filter(({ language }) => language === LANGUAGES[at % LANGUAGES.length])
    const turned = [...own.slice((at * 7) % own.length), ...own.slice(0, (at * 7) % own.length)]
    const { long } = await joinClips(turned, 1, await mkdtemp(join(folder, 'recording-')))
    recordings.push({ ...long, name: `${at}-${basename(long.path)}` })
  }
  return recordings
}

type Texts = { readonly texts: ReadonlyMap<string, string>; readonly seconds: number }

async function libraryTexts(recordings: readonly Clip[]): Promise<Texts> {
  // As the service does by default.
  const product = await openProduct({ SPEECH_INFORMATION: 'true' })
  try {
    for (const { path, language } of recordings.slice(0, 2)) await product.transcribe(path, language)
    const startMs = performance.now()
    const texts = new Map<string, string>()
    for (const { name, path, language } of recordings) texts.set(name, (await product.transcribe(path, language)).text)
    return { texts, seconds: (performance.now() - startMs) / 1000 }
  } finally {
    await product.close()
  }
}

async function serviceTexts(recordings: readonly Clip[], folder: string): Promise<Texts> {
  const lipik = runLipik(['serve', '--port', '0'], { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' })
  try {
    const [, origin = ''] = await lipik.seen(/ready at (http:\S+)/)
    const [token = ''] = await lipik.seen(/eyJ\S+/)
    const client = new LipikClient({ url: origin, token })
    await transcribe(client, recordings.slice(0, 2))
    const startMs = performance.now()
    const texts = await transcribe(client, recordings)
    return { texts, seconds: (performance.now() - startMs) / 1000 }
  } finally {
    lipik.child.kill('SIGTERM')
    await lipik.ended
  }
}

async function transcribe(client: LipikClient, recordings: readonly Clip[]): Promise<Map<string, string>> {
  const files = await Promise.all(
    recordings.map(async ({ name, path }) => new File([await openAsBlob(path)], name, { type: 'audio/wav' })),
  )
  const texts = new Map<string, string>()
  for await (const { filename, result } of client.transcribe(files)) texts.set(filename, result?.text ?? '')
  return texts
}
