import { serveEngine } from '../host/serve-engine.ts'
import { identifyLanguage } from './identify-language.ts'
import { openPreparedGraph } from './prepared-graph.ts'
import { ClipTranscriber } from './transcribe-clips.ts'
import type { WhisperAnswer, WhisperRequest, WhisperSettings } from './whisper-messages.ts'
import { readVocabulary } from './whisper-vocabulary.ts'

serveEngine<WhisperSettings, WhisperRequest, WhisperAnswer>(async ({ folder, threads, ...options }) => {
  const vocabulary = await readVocabulary(folder)
  const graph = await openPreparedGraph(folder, threads)
  const transcriber = new ClipTranscriber({ ...options, graph, vocabulary })
  return {
    async handle(request, signal) {
      if (request.do === 'recognize') return { segments: await transcriber.transcribe(request.clips, signal) }
      return { scores: await identifyLanguage({ graph, vocabulary }, request.clips, request.allowed, signal) }
    },
  }
})
