import type { z } from 'zod'
import { ProtocolError } from '../protocol-error.ts'
import type { ClientEvent, ClientEvents, ClientEventType } from './client-events.ts'

/** The fault of a frame, and the id by which its sender will recognise it. */
export type Parsed =
  | { readonly event: ClientEvent }
  | { readonly error: ProtocolError; readonly eventId: string | null }

export function parseClientEvent(events: ClientEvents, frame: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(frame)
  } catch (cause) {
    return { error: new ProtocolError('invalid_json', 'The frame is not JSON.', { cause }), eventId: null }
  }
  const eventId = eventIdOf(value)
  try {
    return { event: readEvent(events, value) }
  } catch (error) {
    if (error instanceof ProtocolError) return { error, eventId }
    throw error
  }
}

function readEvent(events: ClientEvents, value: unknown): ClientEvent {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') {
    throw new ProtocolError('invalid_event', 'An event is an object with a "type".')
  }
  const { type } = value
  if (!isEventType(events, type)) {
    const supported = Object.keys(events).map((each) => `'${each}'`)
    const message = `Invalid value: '${type.slice(0, 100)}'. Supported values are: ${supported.join(', ')}.`
    throw new ProtocolError('invalid_value', message, { param: 'type' })
  }
  const schema: z.ZodType<ClientEvent> = events[type]
  return parseWith(schema, value)
}

/** The first fault, as the protocol names it. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, prefix: readonly PropertyKey[] = []): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (!issue) throw new ProtocolError('invalid_event', 'The event is not valid.')
  throw toProtocolError(issue, value, prefix)
}

const isEventType = (events: ClientEvents, type: string): type is ClientEventType => Object.hasOwn(events, type)

function toProtocolError(issue: z.core.$ZodIssue, root: unknown, prefix: readonly PropertyKey[]): ProtocolError {
  const path = [...prefix, ...issue.path]
  const param = dotted(path)
  if (issue.code === 'unrecognized_keys') {
    const unknown = dotted([...path, issue.keys[0] ?? ''])
    return new ProtocolError('unknown_parameter', `Unknown parameter: '${unknown}'.`, { param: unknown })
  }
  if (issue.code === 'custom') return new ProtocolError(codeOf(issue.params), issue.message, { param })
  const value = valueAt(root, issue.path)
  if (value === undefined) {
    return new ProtocolError('missing_required_parameter', `Missing required parameter: '${param}'.`, { param })
  }
  return isWrongType(issue, value)
    ? new ProtocolError('invalid_type', `Invalid type for '${param}': ${issue.message}.`, { param })
    : new ProtocolError('invalid_value', `Invalid value for '${param}': ${issue.message}.`, { param })
}

/** Enumerations here are of strings: anything else in their place is of the wrong type, not merely another value. */
function isWrongType(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code === 'invalid_type') return true
  return (issue.code === 'invalid_value' || issue.code === 'invalid_union') && typeof value !== 'string'
}

const codeOf = (params: Record<string, unknown> | undefined): string => String(params?.code ?? 'invalid_value')

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** `session.tools[0].name` */
const dotted = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (all, key) => (typeof key === 'number' ? `${all}[${key}]` : all === '' ? String(key) : `${all}.${String(key)}`),
    '',
  )

function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('event_id' in value)) return null
  return typeof value.event_id === 'string' ? value.event_id : null
}
