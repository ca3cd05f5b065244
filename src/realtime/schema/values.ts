import { z } from 'zod'

/** An issue that carries the protocol's own code for what is wrong. */
type Report = { addIssue(issue: { code: 'custom'; message: string; path?: PropertyKey[]; params: object }): void }

export function refuse(context: Report, code: string, message: string, path?: PropertyKey[]): void {
  context.addIssue({ code: 'custom', message, params: { code }, ...(path && { path }) })
}

export const decimal = (min: number, max: number) =>
  z.number().superRefine((value, context) => {
    if (value < min) refuse(context, 'decimal_below_min_value', `Expected a value >= ${min}, but got ${value}.`)
    if (value > max) refuse(context, 'decimal_above_max_value', `Expected a value <= ${max}, but got ${value}.`)
  })

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.number().superRefine((value, context) => {
    if (!Number.isInteger(value)) return refuse(context, 'invalid_type', `Expected an integer, but got ${value}.`)
    if (value < min) refuse(context, 'integer_below_min_value', `Expected a value >= ${min}, but got ${value}.`)
    if (value > max) refuse(context, 'integer_above_max_value', `Expected a value <= ${max}, but got ${value}.`)
    return undefined
  })

export const limitedText = (maxLength: number) =>
  z.string().superRefine((value, context) => {
    if (value.length <= maxLength) return
    const message = `Expected a string with maximum length ${maxLength}, but got one of length ${value.length}.`
    refuse(context, 'string_above_max_length', message)
  })

/** 1..4096 or `"inf"`. */
export const tokenLimit = () =>
  z.custom<number | 'inf'>().superRefine((value, context) => {
    if (value === undefined || value === 'inf') return
    if (typeof value === 'string') refuse(context, 'invalid_value', 'Supported values are 1 to 4096 and "inf".')
    else for (const { message, params } of limitFaults(value)) context.addIssue({ code: 'custom', message, params })
  })

function limitFaults(value: unknown): { message: string; params: object }[] {
  const issues = integer(1, 4096).safeParse(value).error?.issues ?? []
  return issues.map((issue) => ({
    message: issue.message,
    params: issue.code === 'custom' ? (issue.params ?? {}) : { code: 'invalid_type' },
  }))
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes come out; what is not base64 through and through is refused, where `Buffer.from` would skip it. */
export const base64 = () =>
  z.string().transform((value, context) => {
    if (value.length % 4 === 0 && BASE64.test(value)) return Buffer.from(value, 'base64')
    context.addIssue({
      code: 'custom',
      message: 'Expected base64-encoded audio bytes.',
      params: { code: 'invalid_value' },
    })
    return z.NEVER
  })
