import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeAudio } from '../../src/audio/decode.ts'
import type { Ffmpeg } from '../../src/audio/ffmpeg.ts'
import { findFfmpeg } from '../../src/audio/find-ffmpeg.ts'
import { LipikError } from '../../src/platform/errors.ts'
import { childrenOf } from '../support/child-processes.ts'
import { randomBytes, randomNumbers } from '../support/random-bytes.ts'
import { makeSoundFiles, type SoundFile } from '../support/sound-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const FILES = 500
const SECONDS = 2
const AT_ONCE = 2
const LIMITS = { maxSeconds: 60, maxBytes: 1e8 }
const AUDIO_ERRORS = new Set(['not_audio', 'audio_corrupt', 'audio_empty', 'audio_too_long'])

let folder: TemporaryFolder
let ffmpeg: Ffmpeg
let sound: SoundFile[]
let before: number[]

beforeAll(async () => {
  before = await childrenOf(process.pid)
  folder = await makeTemporaryFolder()
  ffmpeg = await findFfmpeg()
  sound = await makeSoundFiles(ffmpeg, folder.path, SECONDS)
})
afterAll(async () => {
  await ffmpeg?.close()
  await folder?.remove()
})

type Damaged = { readonly what: string; readonly bytes: Buffer; readonly only?: string }
type Damage = (file: SoundFile, random: (below: number) => number) => Damaged

const DAMAGES: readonly Damage[] = [
  ({ bytes }, random) => ({ what: 'cut off', bytes: bytes.subarray(0, random(bytes.length)) }),
  ({ bytes }, random) => ({ what: 'cut off in its header', bytes: bytes.subarray(0, 1 + random(100)) }),
  ({ bytes }, random) => ({ what: 'one bit turned', bytes: flip(bytes, random, 1) }),
  ({ bytes }, random) => ({ what: 'a hundred bits turned', bytes: flip(bytes, random, 100) }),
  ({ bytes }, random) => ({
    what: 'a header of noise',
    bytes: Buffer.concat([randomBytes(random(1e6), 64), bytes.subarray(64)]),
  }),
  ({ bytes }, random) => ({
    what: 'a body of noise',
    bytes: Buffer.concat([bytes.subarray(0, 64), randomBytes(random(1e6), 9_000)]),
  }),
  ({ bytes }) => ({ what: 'sizes of a terabyte', bytes: claimTerabyte(bytes) }),
  () => ({ what: 'nothing', bytes: Buffer.alloc(0), only: 'audio_empty' }),
  (_, random) => ({
    what: 'a zip',
    bytes: Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(random(1e6), 3_000)]),
    only: 'not_audio',
  }),
  (_, random) => ({
    what: 'noise',
    bytes: Buffer.concat([Buffer.of(1), randomBytes(random(1e6), 3_000)]),
    only: 'not_audio',
  }),
]

function damage(at: number, random: (below: number) => number): Damaged {
  const file = sound[at % sound.length]
  const how = DAMAGES[at % DAMAGES.length]
  if (!file || !how) throw new Error('no sound to damage')
  const damaged = how(file, random)
  return { ...damaged, what: `${file.name}: ${damaged.what}` }
}

function flip(bytes: Buffer, random: (below: number) => number, bits: number): Buffer {
  const flipped = Buffer.from(bytes)
  for (let count = 0; count < bits; count++) {
    const at = random(bytes.length)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << random(8))
  }
  return flipped
}

/** Every field near the beginning that could be a size says about as much as it can. */
function claimTerabyte(bytes: Buffer): Buffer {
  const lying = Buffer.from(bytes)
  if (lying.toString('latin1', 0, 4) === 'RIFF') return lying.fill(0xfe, 4, 8).fill(0xfe, 40, 44)
  if (lying.toString('latin1', 4, 8) === 'ftyp')
    return lying.fill(0x7f, lying.indexOf('mdat') - 4, lying.indexOf('mdat') - 1)
  return lying.fill(0xff, 18, 26)
}

/** The code a file ended in, or how many seconds of sound it gave. */
async function outcomeOf(path: string): Promise<string | number> {
  let samples = 0
  try {
    const deps = { ffmpeg, limits: LIMITS, spoolDir: folder.path }
    for await (const block of decodeAudio(deps, path)) samples += block.samples.length
    return samples / 16_000
  } catch (error) {
    if (error instanceof LipikError && AUDIO_ERRORS.has(error.code)) return error.code
    throw error
  }
}

describe('five hundred damaged files', () => {
  it('each end in sound or in the right error, and leave no process behind', { timeout: 240_000 }, async () => {
    const random = randomNumbers(2026)
    const damaged = Array.from({ length: FILES }, (_, at) => damage(at, random))
    const outcomes = await inParallel(damaged, async ({ bytes }, at) => {
      const path = join(folder.path, `damaged-${at}.${at % 2 ? 'txt' : 'mp3'}`)
      await writeFile(path, bytes)
      return outcomeOf(path)
    })
    for (const [at, { what, only }] of damaged.entries()) {
      const outcome = outcomes[at]
      if (only) expect([what, outcome]).toEqual([what, only])
      if (typeof outcome === 'number') expect(outcome, what).toBeLessThanOrEqual(LIMITS.maxSeconds)
    }
    const codes = new Set(outcomes.filter((each) => typeof each === 'string'))
    expect([...codes]).toEqual(expect.arrayContaining(['not_audio', 'audio_corrupt', 'audio_empty']))
    await ffmpeg.close()
    expect(await childrenOf(process.pid)).toEqual(before)
  })
})

async function inParallel<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await work(item, at)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}
