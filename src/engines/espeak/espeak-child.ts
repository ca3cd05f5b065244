import open from '@echogarden/espeak-ng-emscripten'
import { serveEngine } from '../host/serve-engine.ts'

export type EspeakRequest = readonly { readonly text: string; readonly voice: string }[]
export type EspeakAnswer = readonly string[]

serveEngine<unknown, EspeakRequest, EspeakAnswer>(async () => {
  const { eSpeakNGWorker } = await open()
  const espeak = new eSpeakNGWorker()
  return {
    async handle(texts, signal) {
      return texts.map(({ text, voice }) => {
        signal.throwIfAborted()
        espeak.set_voice(voice, '', 0, 0, 0)
        return espeak.synthesize_ipa(text).ipa
      })
    },
  }
})
