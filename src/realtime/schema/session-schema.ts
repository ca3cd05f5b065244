import { z } from 'zod'
import { AUDIO_FORMATS } from '../session-config.ts'
import { isTranscriptionModel, type Vocabulary } from '../vocabulary.ts'
import { decimal, integer, refuse, tokenLimit } from './values.ts'

const SERVER_VAD_HINT = 'Send {"type": "server_vad"} or null.'

/** `semantic_vad` is what one stock client sends unasked: the refusal says what to send instead. */
const turnDetectionType = () =>
  z.string().superRefine((value, context) => {
    if (value === 'server_vad') return
    refuse(
      context,
      'invalid_value',
      `Invalid value: "${value}". Supported values are: "server_vad". ${SERVER_VAD_HINT}`,
    )
  })

const turnDetection = () =>
  z.strictObject({
    type: turnDetectionType(),
    threshold: decimal(0, 1).optional(),
    prefix_padding_ms: integer(0, 60_000).optional(),
    silence_duration_ms: integer(0, 60_000).optional(),
    create_response: z.boolean().optional(),
    interrupt_response: z.boolean().optional(),
    idle_timeout_ms: integer(5_000, 30_000).nullish(),
  })

const transcription = () =>
  z.strictObject({
    model: z
      .string()
      .superRefine((value, context) => {
        if (isTranscriptionModel(value)) return
        refuse(
          context,
          'invalid_value',
          `Invalid value: "${value}". Supported values are: "lipik-transcribe", "whisper-1".`,
        )
      })
      .nullish(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]+)?$/)
      .nullish(),
    prompt: z.string().nullish(),
  })

const noiseReduction = () => z.strictObject({ type: z.enum(['near_field', 'far_field']) })

const format = () => z.enum(AUDIO_FORMATS)

const gaFormat = () =>
  z
    .strictObject({ type: z.enum(['audio/pcm', 'audio/pcmu', 'audio/pcma']), rate: z.number().optional() })
    .superRefine(({ type, rate }, context) => {
      const only = type === 'audio/pcm' ? 24_000 : 8_000
      if (rate !== undefined && rate !== only)
        refuse(context, 'invalid_value', `Supported values are: ${only}.`, ['rate'])
    })

const voice = (vocabulary: Vocabulary) =>
  z.string().superRefine((value, context) => {
    if (vocabulary.resolveVoice(value) !== undefined) return
    const supported = vocabulary.voices.map(({ id }) => `'${id}'`).join(', ')
    refuse(context, 'invalid_value', `Invalid value: '${value}'. Supported values are: ${supported}.`)
  })

const tool = () =>
  z.strictObject({
    type: z.literal('function'),
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  })

const tools = () =>
  z.array(tool()).superRefine((all, context) => {
    const seen = new Set<string>()
    for (const [at, { name }] of all.entries()) {
      if (seen.has(name)) refuse(context, 'invalid_value', `There are two tools named "${name}".`, [at, 'name'])
      seen.add(name)
    }
  })

type ToolChoiceInput = string | { name: string } | { function: { name: string } }
const NAMED_CHOICE = z.union([
  z.strictObject({ type: z.literal('function').optional(), name: z.string() }),
  z.strictObject({ type: z.literal('function').optional(), function: z.strictObject({ name: z.string() }) }),
])

const toolChoice = () =>
  z.custom<ToolChoiceInput>().superRefine((value, context) => {
    if (value === undefined || (typeof value === 'string' && ['auto', 'none', 'required'].includes(value))) return
    if (typeof value === 'object' && value !== null && NAMED_CHOICE.safeParse(value).success) return
    const supported = 'Supported values are: "auto", "none", "required", {"type": "function", "name": "…"}.'
    const isOfType = typeof value === 'string' || (typeof value === 'object' && value !== null)
    refuse(context, isOfType ? 'invalid_value' : 'invalid_type', supported)
  })

/** The reference service knows combinations, not lists. */
const combination = (...allowed: readonly string[][]) =>
  z.array(z.string()).superRefine((value, context) => {
    const given = value.toSorted().join()
    if (allowed.some((each) => each.join() === given)) return
    const supported = allowed.map((each) => JSON.stringify(each)).join(' and ')
    refuse(context, 'invalid_value', `Invalid combination. Supported combinations are: ${supported}.`)
  })

/** Members that a session and a single response have in common. */
export const sharedMembers = (vocabulary: Vocabulary) => ({
  modalities: combination(['audio', 'text'], ['text']).optional(),
  output_modalities: combination(['audio'], ['text']).optional(),
  instructions: z.string().optional(),
  voice: voice(vocabulary).optional(),
  output_audio_format: format().optional(),
  tools: tools().optional(),
  tool_choice: toolChoice().optional(),
  temperature: decimal(0.6, 1.2).optional(),
  max_response_output_tokens: tokenLimit().optional(),
  max_output_tokens: tokenLimit().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  prompt: z.unknown().optional(),
  reasoning: z.unknown().optional(),
})

export const audioOutput = (vocabulary: Vocabulary) =>
  z.strictObject({
    format: gaFormat().optional(),
    voice: voice(vocabulary).optional(),
    speed: decimal(0.25, 1.5).optional(),
  })

const audioInput = () =>
  z.strictObject({
    format: gaFormat().optional(),
    transcription: transcription().nullish(),
    noise_reduction: noiseReduction().nullish(),
    turn_detection: turnDetection().nullish(),
  })

/** Both spellings of everything: which one was meant is decided when the update is applied. */
export const sessionSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    ...sharedMembers(vocabulary),
    type: z.literal('realtime').optional(),
    model: z.string().optional(),
    input_audio_format: format().optional(),
    input_audio_transcription: transcription().nullish(),
    input_audio_noise_reduction: noiseReduction().nullish(),
    turn_detection: turnDetection().nullish(),
    speed: decimal(0.25, 1.5).optional(),
    audio: z.strictObject({ input: audioInput().optional(), output: audioOutput(vocabulary).optional() }).optional(),
    tracing: z.unknown().optional(),
    include: z.array(z.string()).nullish(),
    truncation: z.unknown().optional(),
    client_secret: z.unknown().optional(),
    // What the server itself writes: clients send back what they were given.
    id: z.unknown().optional(),
    object: z.unknown().optional(),
    expires_at: z.unknown().optional(),
  })

export type SessionInput = z.infer<ReturnType<typeof sessionSchema>>
export type SharedInput = Pick<SessionInput, keyof ReturnType<typeof sharedMembers>>
