import { z } from 'zod'
import type { Vocabulary } from '../vocabulary.ts'
import { contextItemSchema } from './item-schema.ts'
import { audioOutput, sharedMembers } from './session-schema.ts'
import { limitedText, refuse } from './values.ts'

const MAX_PAIRS = 16

const metadata = () =>
  z.record(z.string(), limitedText(512)).superRefine((pairs, context) => {
    const keys = Object.keys(pairs)
    if (keys.length > MAX_PAIRS) {
      refuse(context, 'object_above_max_properties', `Expected at most ${MAX_PAIRS} pairs, but got ${keys.length}.`)
    }
    for (const key of keys.filter((each) => each.length > 64)) {
      refuse(context, 'string_above_max_length', 'Expected a key with maximum length 64.', [key])
    }
  })

/** What one response does otherwise than its session. `null` counts as absent: some clients send every member. */
export const responseSchema = (vocabulary: Vocabulary) =>
  z.preprocess(
    withoutNulls,
    z.strictObject({
      ...sharedMembers(vocabulary),
      audio: z.strictObject({ output: audioOutput(vocabulary).optional() }).optional(),
      conversation: z.enum(['auto', 'none']).optional(),
      metadata: metadata().optional(),
      input: z.array(contextItemSchema).optional(),
    }),
  )

export type ResponseInput = z.infer<ReturnType<typeof responseSchema>>

const NESTED = ['audio', 'output']

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(kept.map(([key, member]) => [key, NESTED.includes(key) ? withoutNulls(member) : member]))
}
