import { defaultModelsDir } from '../src/models/default-models-dir.ts'
import { evaluate, type Figures, type LanguageFigures } from './evaluate.ts'
import { NORMALISER } from './normalise-text.ts'
import { openBaseline } from './open-baseline.ts'
import { openProduct } from './open-product.ts'
import type { EvalOptions } from './options.ts'
import { readManifest, setOf, startsWithOneOf, takeOfEach } from './read-manifest.ts'
import type { System } from './system.ts'

/** What each step from the published weights to the shipped default is worth; every one names its settings. */
const VARIANTS: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  prepared: { ASR_ADAPTER: 'none', ASR_BEAMS: '1' },
  'prepared + adapter': { ASR_ADAPTER: 'hindi', ASR_BEAMS: '1' },
  '+ 2 beams': { ASR_ADAPTER: 'hindi', ASR_BEAMS: '2' },
  '+ 4 beams': { ASR_ADAPTER: 'hindi', ASR_BEAMS: '4' },
}

type Variant = Pick<Figures, 'sets' | 'rtf' | 'peak_memory_mb'> & { readonly all: LanguageFigures | undefined }
export type VariantsReport = {
  readonly normaliser: string
  readonly variants: Readonly<Record<string, Variant>>
}

export async function compareVariants(options: EvalOptions): Promise<VariantsReport> {
  const hindi = (await readManifest(options.manifest)).filter(
    (clip) => clip.language === 'hi' && clip.transcript !== '' && startsWithOneOf(clip, options.only),
  )
  const clips = takeOfEach(hindi, options.limit, setOf)
  const [warmUp] = clips
  if (!warmUp) throw new Error('the manifest has no Hindi clips with transcripts')
  const measure = async (system: System): Promise<Variant> => {
    try {
      await system.transcribe(warmUp.path, 'hi')
      const { figures } = await evaluate(system, clips)
      const { sets, rtf, peak_memory_mb, languages } = figures
      return { all: languages.hi, sets, rtf, peak_memory_mb }
    } finally {
      await system.close()
    }
  }
  const modelsDir = process.env.MODELS_DIR ?? defaultModelsDir(process.env)
  const variants: Record<string, Variant> = { export: await measure(await openBaseline(modelsDir)) }
  for (const [name, settings] of Object.entries(VARIANTS)) variants[name] = await measure(await openProduct(settings))
  return { normaliser: NORMALISER, variants }
}

export function describeVariants({ variants }: VariantsReport): string {
  const rates = (name: string, figures: LanguageFigures | undefined) =>
    `    ${name.padEnd(20)} WER ${figures?.wer.toFixed(2)}   CER ${figures?.cer.toFixed(2)}`
  const lines = Object.entries(variants).flatMap(([name, { all, sets, rtf, peak_memory_mb }]) => [
    `  ${name}: ${rtf} of real time, at most ${peak_memory_mb} MB`,
    rates('all', all),
    ...Object.entries(sets).map(([set, figures]) => rates(set, figures)),
  ])
  return [`normaliser ${NORMALISER} (docs/evaluation.md); Hindi clips, error rates in percent`, ...lines].join('\n')
}
