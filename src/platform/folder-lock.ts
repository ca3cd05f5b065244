import { mkdtemp, readdir, rename, rm, symlink, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { v7 } from 'uuid'
import { LipikError } from './errors.ts'

export type FolderLock = { release(): Promise<void> }

type Neighbour = { readonly name: string; readonly pid: number; readonly holds: boolean }

const PREFIX = 'lock-'

/**
 * At most one process holds a folder, and a killed holder holds nothing. Node cannot lock a file, so the lock is a
 * listening socket inside the folder: the kernel closes it with its process, whatever ended it, and a dead socket file
 * refuses connections. It also works between containers that share the folder but not their process ids.
 *
 * Each candidate listens under a name of its own *before* it looks around, so of any two at least one sees the other.
 * Whoever sees a holder gives up; between two candidates the later name gives up and the earlier waits for it to go.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const name = `${PREFIX}${v7()}`
  const claim = await listen(folder, name)
  try {
    for (;;) {
      const rival = await findRival(folder, name)
      if (!rival) break
      if (rival.holds || rival.name < name) throw alreadyHeld(folder, rival.pid)
      await delay(10)
    }
  } catch (error) {
    await claim.release()
    throw error
  }
  claim.hold()
  return claim
}

const alreadyHeld = (folder: string, pid: number) =>
  new LipikError(
    'conflict',
    `Lipik is already running on ${folder} (process ${pid || 'unknown, it does not answer'}): stop it first, or use another DATA_DIR`,
  )

async function listen(folder: string, name: string) {
  let holds = false
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy()) // the asker left before it was answered
    socket.end(JSON.stringify({ pid: process.pid, holds }))
  })
  // A socket file is there a moment before anybody listens, and would be taken for dead: it gets its name after that.
  await byShortPath(folder, (short) => listening(server, join(short, `new-${name}`)))
  await rename(join(folder, `new-${name}`), join(folder, name))
  server.unref()
  return {
    hold: () => {
      holds = true
    },
    release: async () => {
      await new Promise((resolve) => server.close(resolve))
      await rm(join(folder, name), { force: true })
    },
  }
}

const listening = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })

async function findRival(folder: string, own: string): Promise<Neighbour | undefined> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX) && name !== own).sort()
  for (const name of names) {
    const rival = await byShortPath(folder, (short) => ask(join(short, name)))
    if (rival) return { name, ...rival }
    // Names are never used twice: what nobody listens to now nobody will.
    await unlink(join(folder, name)).catch(() => undefined)
  }
  return undefined
}

type Answer = { readonly pid: number; readonly holds: boolean }

/** Nobody listens: the process is gone. Any other silence may still be a holder, a frozen one too. */
const DEAD = new Set(['ECONNREFUSED', 'ENOENT'])
const ANSWER_PATIENCE_MS = 2_000
const SILENT: Answer = { pid: 0, holds: true }

/** A socket that closes on us unanswered belongs to somebody who is leaving: asked again, it will be dead. */
async function ask(path: string): Promise<Answer | undefined> {
  for (;;) {
    const answer = await askOnce(path)
    if (answer !== 'leaving') return answer
    await delay(5)
  }
}

const askOnce = (path: string) =>
  new Promise<Answer | 'leaving' | undefined>((resolve) => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(ANSWER_PATIENCE_MS, () => {
      resolve(SILENT)
      socket.destroy()
    })
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (DEAD.has(code)) resolve(undefined)
      else if (code !== 'ECONNRESET' && code !== 'EPIPE') resolve(SILENT)
    })
    socket.on('close', () => resolve(answer === '' ? 'leaving' : JSON.parse(answer)))
  })

/** A socket's path may have about a hundred bytes; a link in the temporary folder makes any folder's path short. */
async function byShortPath<Result>(folder: string, use: (short: string) => Promise<Result>): Promise<Result> {
  const links = await mkdtemp(join(tmpdir(), 'lipik-'))
  try {
    const short = join(links, 'f')
    await symlink(folder, short)
    return await use(short)
  } finally {
    await rm(links, { recursive: true, force: true })
  }
}
