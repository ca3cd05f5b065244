import { LipikError } from '../../errors.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT'])
const CLOSED = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Says in the operator's words what the disk said in its own; any other error stays what it is. */
export function explainDiskFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof LipikError) return error
  const code = String(error.code)
  if (FULL.has(code)) return diskFull(folder, error)
  if (CLOSED.has(code))
    return new LipikError(
      'unavailable',
      `${folder} cannot be written (${error.message}): mend its rights or set DATA_DIR`,
      {
        cause: error,
      },
    )
  return error
}

export const diskFull = (folder: string, cause?: unknown): LipikError =>
  new LipikError('unavailable', `the disk of ${folder} is full: free some space and start again`, { cause })
