import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type EncodeDeps, encodeSound, SOUND_FORMATS, SOUND_MEDIA } from '../audio/encode-sound.ts'
import { LipikError } from '../platform/errors.ts'
import type { Synthesizer } from '../speech/ports.ts'
import { aliasesOf, resolveVoice } from '../speech/resolve-voice.ts'
import { answerAsOpenAi, OPENAI_FAILURES } from './openai-failure.ts'

export type SpeechRoutesDeps = EncodeDeps & { readonly synthesizer: Synthesizer }

const MOST_CHARACTERS = 4_096

const SPEECH = z.object({
  model: z.string().optional().describe('Taken as it is: the voice decides.'),
  input: z.string().min(1).max(MOST_CHARACTERS).describe('What is said.'),
  voice: z
    .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
    .describe('An id of `GET /v1/voices`, or a name of an OpenAI voice.'),
  response_format: z.enum(SOUND_FORMATS).default('mp3'),
  speed: z.number().min(0.25).max(4).default(1),
  instructions: z.string().optional().describe('Not used.'),
  stream_format: z.enum(['audio']).optional().describe('Only audio: sound as it is made.'),
})

const VOICES = z.object({
  voices: z.array(
    z.object({
      id: z.string(),
      language: z.string().describe('ISO 639-1.'),
      gender: z.enum(['female', 'male']),
      aliases: z.array(z.string()).describe('Other names that mean this voice.'),
    }),
  ),
})

/** Absent synthesizer: this process has no voices; the routes are there and say so. */
export const speechRoutes =
  (deps: SpeechRoutesDeps | undefined): FastifyPluginAsync =>
  async (app) => {
    answerAsOpenAi(app)
    const routes = app.withTypeProvider<ZodTypeProvider>()
    routes.route({
      method: 'POST',
      url: '/v1/audio/speech',
      schema: {
        operationId: 'createSpeech',
        summary: "Say a text, in the form of OpenAI's interface; the sound is streamed as it is made",
        tags: ['speech'],
        body: SPEECH,
        response: { 200: z.unknown().describe('The sound, in the form asked for.'), ...OPENAI_FAILURES },
      },
      handler: async (request, reply) => {
        const { input, voice, response_format: format, speed } = request.body
        const { synthesizer, ...encoding } = present(deps)
        const left = abortWhenLeft(reply)
        const sounds = synthesizer.synthesize({ text: input, voice: idOf(synthesizer, voice), speed }, left)
        const body = await begun(encodeSound(encoding, sounds, format, left))
        return reply.type(SOUND_MEDIA[format]).send(Readable.from(body, { objectMode: false }))
      },
      serializerCompiler: () => (data) => JSON.stringify(data),
    })
    routes.route({
      method: 'GET',
      url: '/v1/voices',
      schema: {
        operationId: 'listVoices',
        summary: 'The voices there are',
        tags: ['speech'],
        response: { 200: VOICES, ...OPENAI_FAILURES },
      },
      handler: async () => {
        const { voices } = present(deps).synthesizer
        return {
          voices: voices.map((voice) => {
            const { id, language, gender } = voice
            return { id, language, gender, aliases: aliasesOf(voice, voices) }
          }),
        }
      },
    })
  }

function present(deps: SpeechRoutesDeps | undefined): SpeechRoutesDeps {
  if (!deps) throw new LipikError('unavailable', 'this process has no voices')
  return deps
}

function idOf({ voices }: Synthesizer, name: string): string {
  const voice = resolveVoice(voices, name)
  if (voice) return voice.id
  const message = `there is no voice "${name}"; there are: ${voices.map(({ id }) => id).join(', ')}`
  throw new LipikError('invalid_request', 'the request is not valid', {
    details: { errors: [{ path: 'voice', message }] },
  })
}

function abortWhenLeft(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort(new LipikError('cancelled', 'the client broke off'))
  })
  return left.signal
}

/** The same body once its first piece is there: what fails before that is still an answer, not a broken stream. */
async function begun(body: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const first = await body.next()
  if (first.done) {
    throw new LipikError('invalid_request', 'the request is not valid', {
      details: { errors: [{ path: 'input', message: 'has nothing that can be said' }] },
    })
  }
  return (async function* () {
    yield first.value
    yield* body
  })()
}
