import { serveEngine } from '../host/serve-engine.ts'
import { givingWay } from './giving-way.ts'
import { identifyLanguage } from './identify-language.ts'
import { openPreparedGraph } from './prepared-graph.ts'
import { ClipTranscriber } from './transcribe-clips.ts'
import type { WhisperAnswer, WhisperRequest, WhisperSettings } from './whisper-messages.ts'
import { readVocabulary } from './whisper-vocabulary.ts'

serveEngine<WhisperSettings, WhisperRequest, WhisperAnswer>(async ({ folder, threads, ...options }, giveWay) => {
  const vocabulary = await readVocabulary(folder)
  const graph = await openPreparedGraph(folder, threads)
  const patientGraph = givingWay(graph, giveWay)
  // Who waits would rather have the text soon than weighed.
  const live = new ClipTranscriber({ ...options, beams: 1, graph, vocabulary })
  const patient = new ClipTranscriber({ ...options, graph: patientGraph, vocabulary })
  return {
    async handle(request, signal, isLive) {
      if (request.do === 'recognize') {
        return { segments: await (isLive ? live : patient).transcribe(request.clips, signal) }
      }
      const model = { graph: isLive ? graph : patientGraph, vocabulary }
      return { scores: await identifyLanguage(model, request.clips, request.allowed, signal) }
    },
  }
})
