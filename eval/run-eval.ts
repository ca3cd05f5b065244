import { writeFile } from 'node:fs/promises'
import { defaultModelsDir } from '../src/models/default-models-dir.ts'
import { clipsErrorRate } from './clips-error-rate.ts'
import { type Evaluation, evaluate, type Outcome } from './evaluate.ts'
import { joinClips, makeNonSpeech, withScratchFolder } from './make-recordings.ts'
import { describeMixed, mixedWords } from './mixed-words.ts'
import { NORMALISER } from './normalise-text.ts'
import { openBaseline } from './open-baseline.ts'
import { openProduct } from './open-product.ts'
import { type EvalOptions, readOptions, USAGE } from './options.ts'
import { type Clip, isSpeech, readManifest, startsWithOneOf, takeOfEach } from './read-manifest.ts'
import { compare, describeReport, type Report } from './report.ts'
import { describeTables, measureSpeechInformation } from './speech-information.ts'
import type { System } from './system.ts'
import { compareVariants, describeVariants } from './variants.ts'

type Subject = { readonly clips: readonly Clip[]; readonly parts: readonly Clip[] }

async function prepare(options: EvalOptions, folder: string): Promise<Subject> {
  const all = takeOfEach(
    (await readManifest(options.manifest)).filter((clip) => startsWithOneOf(clip, options.only)),
    options.limit,
  )
  if (!options.join) return { clips: [...all, ...(await makeNonSpeech(options.nonSpeechSeconds, folder))], parts: [] }
  const { minutes, language } = options.join
  const own = all.filter((clip) => clip.language === language && clip.transcript !== '')
  const { long, parts } = await joinClips(own, minutes, folder)
  return { clips: [long], parts }
}

async function using<T>(system: System, work: (system: System) => Promise<T>): Promise<T> {
  try {
    return await work(system)
  } finally {
    await system.close()
  }
}

const follow = (name: string, total: number, show: boolean) => (outcome: Outcome, done: number) => {
  if (process.stderr.isTTY && !show) process.stderr.write(`\r\u001b[K${name}: ${done} of ${total}`)
  if (show) console.error(`${name} ${outcome.clip.name}\n  said  ${outcome.clip.transcript}\n  heard ${outcome.text}`)
}

/** One short clip of each language unmeasured: loading weights is not speed. */
async function warmUp(system: System, clips: readonly Clip[]): Promise<void> {
  for (const clip of takeOfEach(clips.filter(isSpeech), 1)) await system.transcribe(clip.path, clip.language)
}

async function hearAll(system: System, clips: readonly Clip[], { show }: EvalOptions): Promise<Evaluation> {
  const evaluation = await evaluate(system, clips, follow(system.name, clips.length, show))
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return evaluation
}

async function run(options: EvalOptions, folder: string): Promise<Report> {
  const modelsDir = process.env.MODELS_DIR ?? defaultModelsDir(process.env)
  const { clips, parts } = await prepare(options, folder)
  const report = await using(await openProduct(), async (product): Promise<Report> => {
    await warmUp(product, options.join ? parts : clips)
    const { figures } = await hearAll(product, clips, options)
    const [long] = clips
    if (!options.join || !long) return { normaliser: NORMALISER, ...figures }
    const wer = figures.languages[long.language]?.wer ?? 0
    const joined = { seconds: figures.audio_seconds, wer, clips_wer: await clipsErrorRate(product, parts) }
    return { normaliser: NORMALISER, ...figures, joined }
  })
  if (!options.baseline) return report
  // After the product has closed: the memory of each is measured without the other.
  return using(await openBaseline(modelsDir), async (baseline) => {
    await warmUp(baseline, options.join ? parts : clips)
    const { figures } = await hearAll(baseline, clips.filter(isSpeech), options)
    return { ...report, baseline: { name: baseline.name, ...figures }, ratios: compare(report, figures) }
  })
}

async function report(options: EvalOptions): Promise<{ readonly figures: object; readonly text: string }> {
  if (options.variants) {
    const figures = await compareVariants(options)
    return { figures, text: describeVariants(figures) }
  }
  if (options.speechInformation) {
    const figures = await measureSpeechInformation(options)
    return { figures, text: describeTables(figures) }
  }
  if (options.mixed) {
    const modelsDir = process.env.MODELS_DIR ?? defaultModelsDir(process.env)
    const say = (said: string, heard: string) => options.show && console.error(`  said  ${said}\n  heard ${heard}`)
    const figures = await withScratchFolder((folder) => mixedWords(modelsDir, folder, say))
    return { figures, text: describeMixed(figures) }
  }
  const figures = await withScratchFolder((folder) => run(options, folder))
  return { figures, text: describeReport(figures) }
}

try {
  const options = readOptions(process.argv.slice(2))
  const { figures, text } = await report(options)
  console.log(text)
  if (options.json) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`)
} catch (error) {
  console.error(error instanceof Error ? `${error.message}\n\n${USAGE}` : error)
  process.exitCode = 1
}
