import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Postmaster = { readonly pid: number; readonly socketFolder: string }

export const postmasterFile = (cluster: string): string => join(cluster, 'postmaster.pid')

/** What a running server writes about itself, line by line: pid, data folder, start time, port, socket folder, ... */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(postmasterFile(cluster), 'utf8').catch(missingIsUndefined)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return { pid: Number(lines[0]), socketFolder: lines[4]?.trim() ?? '' }
}

function missingIsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
