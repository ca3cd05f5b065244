import { z } from 'zod'
import { MAX_ID_LENGTH } from '../protocol-id.ts'
import { base64, limitedText, refuse } from './values.ts'

const common = {
  id: limitedText(MAX_ID_LENGTH).nullish(),
  object: z.literal('realtime.item').nullish(),
  status: z.enum(['in_progress', 'completed', 'incomplete']).nullish(),
}

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('output_text'), text: z.string() }),
  z.strictObject({ type: z.literal('input_audio'), audio: base64(), transcript: z.string().nullish() }),
])

const ALLOWED_PARTS: Readonly<Record<'user' | 'assistant' | 'system', readonly string[]>> = {
  user: ['input_text', 'input_audio'],
  assistant: ['text', 'output_text'],
  system: ['input_text'],
}

const message = z
  .strictObject({
    ...common,
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system']),
    content: z.array(part),
  })
  .superRefine(({ role, content }, context) => {
    const allowed = ALLOWED_PARTS[role]
    for (const [at, { type }] of content.entries()) {
      if (allowed.includes(type)) continue
      const supported = allowed.map((each) => `'${each}'`).join(', ')
      const message = `Invalid value: '${type}'. Supported values for ${role} messages are: ${supported}.`
      refuse(context, 'invalid_value', message, ['content', at, 'type'])
    }
  })

const functionCall = z.strictObject({
  ...common,
  type: z.literal('function_call'),
  name: z.string(),
  call_id: limitedText(MAX_ID_LENGTH),
  arguments: z.string(),
})

const functionCallOutput = z.strictObject({
  ...common,
  type: z.literal('function_call_output'),
  call_id: limitedText(MAX_ID_LENGTH),
  output: z.string(),
})

const itemReference = z.strictObject({ type: z.literal('item_reference'), id: z.string() })

export const itemSchema = z.discriminatedUnion('type', [message, functionCall, functionCallOutput])
export const contextItemSchema = z.discriminatedUnion('type', [
  message,
  functionCall,
  functionCallOutput,
  itemReference,
])

export type ItemInput = z.infer<typeof itemSchema>
export type ContextItemInput = z.infer<typeof contextItemSchema>
