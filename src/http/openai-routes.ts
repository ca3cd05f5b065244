import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { BatchOptions } from '../batches/batch-options.ts'
import {
  dropStaged,
  type StagedAudio,
  stageAudio,
  type TranscribeNowDeps,
  transcribeNow,
} from '../batches/transcribe-now.ts'
import { boundaryOf, readMultipart } from '../files/multipart.ts'
import { LipikError } from '../platform/errors.ts'
import type { Language } from '../speech/language.ts'
import { toOpenAiAnswer } from './openai-answer.ts'
import { answerAsOpenAi, OPENAI_FAILURES } from './openai-failure.ts'
import { drain, readBody } from './upload-body.ts'

export type OpenAiRoutesDeps = TranscribeNowDeps & { readonly languages: readonly Language[] }

const FORM = z.object({
  file: z.string().meta({ format: 'binary' }).describe('The audio.'),
  model: z.string().optional().describe('Taken as it is: the service chooses its models itself.'),
  language: z.string().optional(),
  prompt: z.string().optional().describe('Not used.'),
  temperature: z.coerce.number().optional().describe('Not used.'),
  response_format: z.enum(['json', 'text', 'srt', 'vtt', 'verbose_json']).default('json'),
  'timestamp_granularities[]': z.array(z.enum(['segment', 'word'])).default(['segment']),
  stream: z.enum(['false']).optional().describe('Only false: the answer comes as a whole.'),
})
const FIELDS = FORM.omit({ file: true })
const MOST_FIELD_BYTES = 65_536

/** The transcription call of OpenAI's interface, so that its clients work here with another base address. */
export const openAiRoutes =
  (deps: OpenAiRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    answerAsOpenAi(app)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.withTypeProvider<ZodTypeProvider>().route({
      method: 'POST',
      url: '/v1/audio/transcriptions',
      schema: {
        operationId: 'createTranscription',
        summary: "Transcribe one file and wait for it, in the form of OpenAI's interface",
        tags: ['results'],
        consumes: ['multipart/form-data'],
        body: FORM,
        response: { 200: z.unknown().describe('The transcript, in the form asked for.'), ...OPENAI_FAILURES },
      },
      // The body is judged while it streams; its schema is for the description.
      validatorCompiler: () => (value) => ({ value }),
      serializerCompiler: () => (data) => (typeof data === 'string' ? data : JSON.stringify(data)),
      handler: async (request, reply) => {
        const left = new AbortController()
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) left.abort(new LipikError('cancelled', 'the client broke off'))
        })
        const { staged, ...form } = await readForm(deps, request)
        const { fields, options } = await orDrop(deps, staged, () => readFields(form.given, deps.languages))
        const transcript = await transcribeNow(deps, request.userId, staged, options, left.signal)
        const { media, body } = toOpenAiAnswer(transcript, fields.response_format, fields['timestamp_granularities[]'])
        return reply.type(media).send(body)
      },
    })
  }

/** The file may come before or after the fields that say what to do with it, so it goes to storage as it comes. */
async function readForm(deps: OpenAiRoutesDeps, request: FastifyRequest) {
  const given: Record<string, string[]> = {}
  let staged: StagedAudio | undefined
  try {
    const parts = readMultipart(readBody(request.raw), boundaryOf(request.headers['content-type']))
    for await (const { name, filename, body } of parts) {
      if (name === 'file' && staged) throw new LipikError('invalid_request', 'only one file is transcribed at a time')
      if (name === 'file') staged = await stageAudio(deps, request.userId, filename ?? 'audio', body)
      else given[name] = [...(given[name] ?? []), await readField(body)]
    }
    // What follows the last part has no meaning, but unread it would keep the connection busy.
    request.raw.resume()
  } catch (error) {
    await drain(request.raw)
    if (staged) await dropStaged(deps, staged)
    throw error
  }
  if (!staged) throw invalid('file', 'is required')
  return { staged, given }
}

async function orDrop<T>(deps: OpenAiRoutesDeps, staged: StagedAudio, read: () => T): Promise<T> {
  try {
    return read()
  } catch (error) {
    await dropStaged(deps, staged)
    throw error
  }
}

async function readField(body: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of body) {
    text += piece.toString()
    if (text.length > MOST_FIELD_BYTES) throw new LipikError('too_large', 'a field of the form is too large')
  }
  return text
}

function readFields(given: Readonly<Record<string, string[]>>, languages: readonly Language[]) {
  const fields = parseFields(given)
  return { fields, options: optionsOf(fields, languages) }
}

function parseFields(given: Readonly<Record<string, string[]>>) {
  const { 'timestamp_granularities[]': granularities, ...rest } = given
  const single = Object.fromEntries(Object.entries(rest).map(([name, values]) => [name, values.at(-1)]))
  const parsed = FIELDS.safeParse(granularities ? { ...single, 'timestamp_granularities[]': granularities } : single)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(issue?.path.join('.') ?? '', issue?.message ?? 'is not valid')
}

function optionsOf({ language }: z.infer<typeof FIELDS>, languages: readonly Language[]): BatchOptions {
  if (!language) return { script: 'native', tags: false }
  if (!languages.includes(language)) throw invalid('language', `must be one of ${languages.join(', ')}`)
  return { script: 'native', tags: false, language }
}

const invalid = (path: string, message: string) =>
  new LipikError('invalid_request', 'the request is not valid', { details: { errors: [{ path, message }] } })
