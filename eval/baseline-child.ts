import { env, pipeline } from '@huggingface/transformers'

/** Plain transformers.js with the same weights, as its own documentation shows it, in a process of its own. */
export type BaselineRequest = { readonly samples: Float32Array; readonly language: string; readonly isLong: boolean }
export type BaselineAnswer = { readonly text: string } | { readonly error: string }

const [modelsDir = '', model = ''] = process.argv.slice(2)
env.allowRemoteModels = false
env.localModelPath = modelsDir
const recognise = await pipeline('automatic-speech-recognition', model, { dtype: 'q8', device: 'cpu' })

const send = (message: BaselineAnswer | { ready: true }) => process.send?.(message)

process.on('message', async ({ samples, language, isLong }: BaselineRequest) => {
  try {
    const answer = await recognise(samples, { language, task: 'transcribe', ...(isLong && { chunk_length_s: 30 }) })
    send({
      text: [answer]
        .flat()
        .map(({ text }) => text)
        .join(' '),
    })
  } catch (error) {
    send({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
send({ ready: true })
