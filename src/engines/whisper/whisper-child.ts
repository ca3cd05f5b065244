import { serveEngine } from '../host/serve-engine.ts'
import { ClipCaptioner } from './caption-clips.ts'
import { ClipStates } from './clip-states.ts'
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
  const [liveStates, states] = [new ClipStates(graph, 0), new ClipStates(patientGraph)]
  const live = new ClipTranscriber({ ...options, beams: 1, graph, vocabulary, states: liveStates })
  const patient = new ClipTranscriber({ ...options, graph: patientGraph, vocabulary, states })
  const captioner = new ClipCaptioner(patientGraph, vocabulary, states)
  return {
    async handle(request, signal, isLive) {
      if (request.do === 'recognize') {
        return { segments: await (isLive ? live : patient).transcribe(request.clips, signal) }
      }
      if (request.do === 'caption') return { captions: await captioner.caption(request.clips, request.ask, signal) }
      const model = isLive ? { graph, vocabulary, states: liveStates } : { graph: patientGraph, vocabulary, states }
      return { scores: await identifyLanguage(model, request.clips, request.allowed, signal) }
    },
  }
})
