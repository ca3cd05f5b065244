/** SQLSTATE classes: connection exception, operator intervention (the server is stopping or starting), out of resources. */
const CLASSES = ['08', '57', '53']
const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']
const DRIVER_MESSAGES = /connection terminated|not queryable|timeout exceeded when trying to connect|client was closed/i

/** Whether the database was away, as opposed to having refused something. Only for errors that came out of a query. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if ('severity' in error) return CLASSES.includes(code.slice(0, 2))
  return (
    ('syscall' in error && error.syscall === 'connect' && SOCKET_CODES.includes(code)) ||
    DRIVER_MESSAGES.test(error.message)
  )
}
