import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { findFfmpeg } from '../../audio/find-ffmpeg.ts'
import type { Config, Environment } from '../config.ts'
import { addressOf, refuseTakenPort } from '../listen.ts'
import { type Examination, failed, ok, warning } from './finding.ts'
import { reasonOf } from './reason-of.ts'

const OLDEST_NODE = [20, 19] as const
const ROOM_BYTES = 2_000_000_000
const PLATFORMS = ['linux-x64', 'linux-arm64']
const PROBE_MS = 3_000

/** What the machine itself must bring. */
export const machineExaminations = (config: Config, env: Environment): Examination[] => [
  { name: 'node', examine: async () => examineNode(process.versions.node) },
  { name: 'platform', examine: async () => examinePlatform(`${process.platform}-${process.arch}`) },
  { name: 'data folder', examine: () => examineFolder(config.DATA_DIR) },
  { name: 'ffmpeg', examine: () => examineFfmpeg(config, env) },
  { name: 'port', examine: () => examinePort(config) },
]

function examineNode(version: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? failed(`Node.js ${version}`, `install Node.js ${OLDEST_NODE.join('.')} or newer`)
    : ok(`Node.js ${version}`)
}

const examinePlatform = (platform: string) =>
  PLATFORMS.includes(platform)
    ? ok(platform)
    : warning(platform, `Lipik is tested on ${PLATFORMS.join(' and ')}: elsewhere a part may be missing`)

async function examineFolder(folder: string) {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    return failed(`${folder}: ${reasonOf(error)}`, 'mend its rights, or set DATA_DIR to a folder this user may write')
  }
  const { bavail, bsize } = await statfs(folder)
  const room = `${folder}, ${((bavail * bsize) / 1e9).toFixed(1)} GB free`
  return bavail * bsize < ROOM_BYTES ? warning(room, 'free some space, or set DATA_DIR to a larger disk') : ok(room)
}

async function examineFfmpeg(config: Config, env: Environment) {
  const ffmpeg = await findFfmpeg({ ffmpegPath: config.FFMPEG_PATH, searchPath: env.PATH })
  await ffmpeg.close()
  return ok(ffmpeg.name)
}

/** A port that is taken is as it should be when it is Lipik that answers there. */
async function examinePort(config: Config) {
  const place = { host: config.HOST, port: config.PORT }
  const taken = await refuseTakenPort(place).then(
    () => undefined,
    (error: Error) => error,
  )
  if (taken === undefined) return ok(`${config.HOST}:${config.PORT} is free`)
  const url = `${addressOf(place)}${config.BASE_PATH}/health/ready`
  const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })
    .then((response) => response.json())
    .catch(() => undefined)
  if (!isReadiness(answer)) return failed(taken.message, 'stop what uses the port, or set PORT to another')
  const parts = Object.entries(answer.checks).map(([name, state]) => `${name} ${state}`)
  const said = `Lipik runs there: ${answer.status} (${parts.join(', ')})`
  return answer.status === 'ready' ? ok(said) : failed(said, 'its log says why, under "readiness check failed"')
}

type Readiness = { readonly status: string; readonly checks: Readonly<Record<string, string>> }

const isReadiness = (answer: unknown): answer is Readiness =>
  typeof answer === 'object' && answer !== null && 'status' in answer && 'checks' in answer
