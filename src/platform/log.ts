import { type DestinationStream, destination, type Logger, type LevelWithSilent as LogLevel, pino } from 'pino'

export type { Logger, LogLevel }

/** Secrets, and what people said. A field of one of these names never reaches the log, wherever it stands. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'apiKey',
  'api_key',
  'audio',
  'text',
  'transcript',
  'segments',
  'words',
]

/** The redactor has no "at any depth": three levels cover a request, its headers, and an error's own fields. */
const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`])

export type LogOptions = { readonly level: LogLevel; readonly stream?: DestinationStream }

/** One JSON object a line on standard error: standard output belongs to what a command was asked to print. */
export const createLogger = ({ level, stream = destination(2) }: LogOptions): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      serializers: { error: describeError, err: describeError },
    },
    stream,
  )

type ErrorFields = { type: string; message: string; code?: unknown; stack: string | undefined; cause?: unknown }

/**
 * An error's other fields stay out: drivers and clients hang onto it the row that was refused, the request with its
 * headers, the connection with its password.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const fields: ErrorFields = { type: error.name, message: error.message, stack: error.stack }
  if ('code' in error) fields.code = error.code
  if (error.cause !== undefined) fields.cause = describeError(error.cause)
  return fields
}

export const withRequestId = (log: Logger, requestId: string): Logger => log.child({ requestId })
