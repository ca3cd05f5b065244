import { serveEngine } from '../host/serve-engine.ts'
import { ClipCaptioner } from './caption-clips.ts'
import { ClipStates } from './clip-states.ts'
import { givingWay } from './giving-way.ts'
import { identifyLanguage } from './identify-language.ts'
import { openPreparedModel, type PreparedModel } from './prepared-graph.ts'
import { type Transcribers, transcribeByLanguage } from './transcribe-by-language.ts'
import { ClipTranscriber } from './transcribe-clips.ts'
import type { WhisperAnswer, WhisperRequest, WhisperSettings } from './whisper-messages.ts'
import { readVocabulary } from './whisper-vocabulary.ts'

serveEngine<WhisperSettings, WhisperRequest, WhisperAnswer>(
  async ({ folder, threads, taught, ...options }, giveWay) => {
    const vocabulary = await readVocabulary(folder)
    const model = await openPreparedModel(folder, threads)
    const patientModel = { adapted: givingWay(model.adapted, giveWay), plain: givingWay(model.plain, giveWay) }
    const [liveStates, states] = [new ClipStates(model.adapted, 0), new ClipStates(patientModel.adapted)]
    // Who waits would rather have the text soon than weighed.
    const live = transcribers(model, liveStates, 1)
    const patient = transcribers(patientModel, states, options.beams)
    const captioner = new ClipCaptioner(patientModel.adapted, vocabulary, states)

    function transcribers({ adapted, plain }: PreparedModel, states: ClipStates, beams: number): Transcribers {
      const common = { ...options, beams, vocabulary, states }
      return {
        languages: taught,
        ofThese: new ClipTranscriber({ ...common, graph: adapted, window: 'short' }),
        ofOthers: new ClipTranscriber({ ...common, graph: plain, window: 'whole' }),
      }
    }

    return {
      async handle(request, signal, isLive) {
        if (request.do === 'recognize') {
          return { segments: await transcribeByLanguage(isLive ? live : patient, request.clips, signal) }
        }
        if (request.do === 'caption') return { captions: await captioner.caption(request.clips, request.ask, signal) }
        const heard = isLive
          ? { graph: model.adapted, vocabulary, states: liveStates }
          : { graph: patientModel.adapted, vocabulary, states }
        return { scores: await identifyLanguage(heard, request, signal) }
      },
    }
  },
)
