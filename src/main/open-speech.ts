import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createMoonshineRecognizer } from '../engines/moonshine/moonshine-recognizer.ts'
import { createRemoteRecognizer } from '../engines/remote/remote-recognizer.ts'
import { createSherpaRecognizer } from '../engines/sherpa/sherpa-recognizer.ts'
import { createSherpaSpeakers } from '../engines/sherpa/sherpa-speakers.ts'
import { createSherpaTagger } from '../engines/sherpa/sherpa-tagger.ts'
import { createSileroVoiceDetector } from '../engines/silero/silero-voice-detector.ts'
import { createCaptionTagger } from '../engines/whisper/caption-tagger.ts'
import type { SoundCaptioner } from '../engines/whisper/sound-captioner.ts'
import { createWhisperLanguageIdentifier } from '../engines/whisper/whisper-language-identifier.ts'
import { createWhisperRecognizer } from '../engines/whisper/whisper-recognizer.ts'
import { findModel, loadCatalogue } from '../models/catalogue.ts'
import { defaultModelsDir } from '../models/default-models-dir.ts'
import { ensureModels, type ModelFiles } from '../models/ensure-models.ts'
import { type AdapterSource, NO_SOURCE, openAdapterFolder } from '../models/whisper/adapter-folder.ts'
import { prepareWhisper } from '../models/whisper/prepare-whisper.ts'
import { LipikError } from '../platform/errors.ts'
import type {
  ChunkTranscriber,
  EventTagger,
  LanguageIdentifier,
  SpeakerModel,
  SpeechRecognizer,
  VoiceDetector,
} from '../speech/ports.ts'
import { createChunkTranscriber } from '../transcription/transcribe-chunks.ts'
import type { Config, Environment } from './config.ts'
import { packageFile } from './package-file.ts'
import { showDownloads } from './show-downloads.ts'

export type Speech = {
  readonly detector: VoiceDetector
  readonly identifier: LanguageIdentifier
  readonly transcriber: ChunkTranscriber
  /** Absent: `EVENT_TAGGER` is `none`. */
  readonly tagger?: EventTagger
  /** Absent: voices are told apart by how the service itself describes them. */
  readonly speakers?: SpeakerModel
  close(): Promise<void>
}

export type SpeechOptions = {
  readonly config: Config
  readonly env: Environment
  readonly note: (line: string) => void
  readonly signal: AbortSignal
}

const LANGUAGE_MODEL = 'whisper-tiny'
const VOICE_MODEL = 'silero-vad-v6'
const VOCABULARY = 'llama-vocabulary'

/** Everything that hears, its weights fetched and prepared where they are not yet. The engines start with their first request. */
export async function openSpeech(options: SpeechOptions): Promise<Speech> {
  const { config } = options
  const english = config.ASR_ENGLISH_MODEL === 'none' ? undefined : config.ASR_ENGLISH_MODEL
  const ownTagger = ['captions', 'none'].includes(config.EVENT_TAGGER) ? undefined : config.EVENT_TAGGER
  const speakerModel = config.SPEAKER_MODEL === 'voices' ? undefined : config.SPEAKER_MODEL
  const optional = [english, ownTagger, speakerModel].filter((name) => name !== undefined)
  const names = [LANGUAGE_MODEL, VOICE_MODEL, VOCABULARY, config.ASR_MODEL, ...optional]
  const models = await fetchNamed(names, options)
  const threads = config.ENGINE_THREADS ?? availableParallelism()
  const voice = only(models, VOICE_MODEL)
  const detector = createSileroVoiceDetector({ model: Object.values(voice.files)[0] ?? '' })
  const folder = await prepare(only(models, LANGUAGE_MODEL), NO_SOURCE, options)
  const identifier = createWhisperLanguageIdentifier({ folder, threads: 1 })
  const open = (name: string) => openRecognizer(only(models, name), only(models, VOCABULARY), threads, options)
  const generalist = await open(config.ASR_MODEL)
  const specialists = english ? { en: await open(english) } : {}
  const transcriber = createChunkTranscriber({ identifier, generalist, specialists })
  const captions = () => createCaptionTagger({ quick: identifier, thorough: captionerIn(generalist) })
  const named = ownTagger ? createSherpaTagger(only(models, ownTagger)) : captions()
  const tagger = config.EVENT_TAGGER === 'none' ? undefined : named
  const speakers = speakerModel ? createSherpaSpeakers(only(models, speakerModel)) : undefined
  return {
    detector,
    identifier,
    transcriber,
    ...(tagger && { tagger }),
    ...(speakers && { speakers }),
    async close() {
      await Promise.all([detector.close(), transcriber.close(), tagger?.close(), speakers?.close()])
    },
  }
}

/** Catalogued models on this machine, whole; says on the way how far it is. */
async function fetchNamed(names: readonly string[], { config, env, note, signal }: SpeechOptions) {
  const catalogue = await loadCatalogue(config.MODELS_CATALOGUE)
  for (const name of names) findModel(catalogue, name)
  const dir = config.MODELS_DIR ?? defaultModelsDir(env)
  return ensureModels(names, { dir, catalogue, env, signal, onProgress: showDownloads(note) })
}

async function openRecognizer(
  model: ModelFiles,
  vocabulary: ModelFiles,
  threads: number,
  options: SpeechOptions,
): Promise<SpeechRecognizer & Partial<SoundCaptioner>> {
  const { name, entry, dir } = model
  switch (entry.kind) {
    case 'whisper': {
      const adapter = await openAdapter(options.config.ASR_ADAPTER)
      const folder = await prepare(model, adapter, options)
      return createWhisperRecognizer({
        folder,
        name,
        threads,
        beams: options.config.ASR_BEAMS,
        taught: adapter.languages,
      })
    }
    case 'moonshine': {
      const words = Object.values(vocabulary.files)[0] ?? ''
      return createMoonshineRecognizer({ folder: dir, vocabulary: words, name, concurrency: threads })
    }
    case 'sherpa-offline':
      return createSherpaRecognizer(model, { concurrency: threads })
    case 'remote': {
      const apiKey = entry.apiKeyVariable && options.env[entry.apiKeyVariable]
      return createRemoteRecognizer({ name, url: entry.url, model: entry.model, ...(apiKey && { apiKey }) })
    }
    default:
      throw new LipikError('invalid_request', `${name} is not a recogniser`)
  }
}

/** A recogniser that is a Whisper can also say what else it hears. */
const captionerIn = ({ caption }: Partial<SoundCaptioner>): SoundCaptioner | undefined => caption && { caption }

async function prepare(model: ModelFiles, adapter: AdapterSource, { note, signal }: SpeechOptions): Promise<string> {
  let said = false
  return prepareWhisper({
    modelDir: model.dir,
    adapter,
    preparedDir: join(model.dir, '..', 'prepared'),
    signal,
    onProgress: (share) => {
      if (!said) note(`preparing ${model.name}, once`)
      if (share === 1) note(`  ${model.name} is prepared`)
      said = true
    },
  })
}

const OWN_ADAPTER = packageFile('models/hindi-adapter')

async function openAdapter(setting: string): Promise<AdapterSource> {
  if (setting === 'none') return NO_SOURCE
  return openAdapterFolder(setting === 'hindi' ? OWN_ADAPTER : setting)
}

function only(models: Readonly<Record<string, ModelFiles>>, name: string): ModelFiles {
  const model = models[name]
  if (!model) throw new LipikError('model_unavailable', `the model ${name} is not here`)
  return model
}
