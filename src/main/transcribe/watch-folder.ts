import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { listFolder, nameTargets, stampOf } from './find-recordings.ts'
import type { Recording } from './recording.ts'

const LOOK_EVERY_MS = 1000

/**
 * Recordings of a folder as they arrive, those already there first, until `signal` says enough. Looked for again and again: changes
 * in folders of other machines are not always announced. A file counts when it has been the same for one look: it is whole then.
 */
export async function* watchFolder(
  folder: string,
  signal: AbortSignal,
  everyMs = LOOK_EVERY_MS,
): AsyncGenerator<readonly Recording[]> {
  const given = new Set<string>()
  let before = new Map<string, Recording>()
  while (!signal.aborted) {
    const now = await look(folder)
    const isNew = ({ path, stamp }: Recording) => before.get(path)?.stamp === stamp && !given.has(`${path}\n${stamp}`)
    const fresh = [...now.values()].filter(isNew)
    for (const { path, stamp } of fresh) given.add(`${path}\n${stamp}`)
    if (fresh.length > 0) yield fresh
    before = now
    await delay(everyMs, undefined, { signal }).catch(() => {})
  }
}

async function look(folder: string): Promise<Map<string, Recording>> {
  const found = await listFolder(folder)
  const targets = nameTargets(found.map(({ name }) => name))
  const recordings = new Map<string, Recording>()
  for (const [index, { path, label }] of found.entries()) {
    const known = await stat(path).catch(() => undefined)
    // Nothing is in it yet: whoever writes it has only begun.
    if (!known || known.size === 0) continue
    recordings.set(path, { path, label, target: targets[index] ?? '', bytes: known.size, stamp: stampOf(known) })
  }
  return recordings
}
