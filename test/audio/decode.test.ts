import { chmod, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AudioBlock } from '../../src/audio/audio-block.ts'
import { decodeAudio } from '../../src/audio/decode.ts'
import type { Ffmpeg } from '../../src/audio/ffmpeg.ts'
import { findFfmpeg } from '../../src/audio/find-ffmpeg.ts'
import { encodeWav } from '../../src/audio/wav.ts'
import { childrenOf } from '../support/child-processes.ts'
import { mp4File } from '../support/mp4-file.ts'
import { buzz, encode, telephone3gp } from '../support/sound-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const LIMITS = { maxSeconds: 3600, maxBytes: 1e8 }

let folder: TemporaryFolder
let ffmpeg: Ffmpeg
let children: number[]

beforeAll(async () => {
  children = await childrenOf(process.pid)
  folder = await makeTemporaryFolder()
  ffmpeg = await findFfmpeg()
})
afterAll(async () => {
  await ffmpeg?.close()
  await folder?.remove()
  expect(await childrenOf(process.pid)).toEqual(children)
})

const decode = (input: string | AsyncIterable<Uint8Array>, limits = LIMITS, signal?: AbortSignal) =>
  decodeAudio({ ffmpeg, limits, spoolDir: folder.path }, input, signal)

async function collect(blocks: AsyncIterable<AudioBlock>) {
  const all: AudioBlock[] = []
  for await (const block of blocks) all.push(block)
  return {
    samples: Float32Array.from(all.flatMap(({ samples }) => [...samples])),
    balance: all.flatMap(({ balance }) => [...(balance ?? [])]),
  }
}

async function write(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder.path, name)
  await writeFile(path, bytes)
  return path
}

describe('decoding', () => {
  it('gives the samples of a wav at the rate of speech as they are', async () => {
    const sound = buzz(5)
    const { samples, balance } = await collect(decode(await write('plain.wav', encodeWav(sound))))
    expect(samples.length).toBe(sound.length)
    const worst = samples.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (sound[at] ?? 0))), 0)
    expect(worst).toBeLessThan(0.0001)
    expect(balance).toEqual([])
  })

  it('mixes two channels into one and remembers which of them spoke', async () => {
    const source = await write('mono.wav', encodeWav(buzz(4)))
    const sides = ['-af', "pan=stereo|c0=c0|c1=c0,volume='if(lt(t,2),1,0)':eval=frame:precision=float", '-f', 'wav']
    const left = await encode(ffmpeg, source, ['-af', 'pan=stereo|c0=c0|c1=0*c0', '-f', 'wav'])
    const right = await encode(ffmpeg, source, ['-af', 'pan=stereo|c0=0*c0|c1=c0', '-f', 'wav'])
    const both = await encode(ffmpeg, source, sides)
    const heard = async (bytes: Buffer) => (await collect(decode(await write('stereo.wav', bytes)))).balance
    const leftBalance = await heard(left)
    expect(leftBalance).toHaveLength(200)
    expect(Math.min(...leftBalance)).toBe(-1)
    expect(Math.max(...leftBalance)).toBe(0)
    expect(Math.max(...(await heard(right)))).toBe(1)
    expect((await heard(both)).every((side) => Math.abs(side) < 0.01)).toBe(true)
  })

  it('gives what there is of a file that was cut off', async () => {
    const wav = encodeWav(buzz(5))
    const { samples } = await collect(decode(await write('cut.wav', wav.subarray(0, 44 + 32_000 * 2))))
    expect(samples.length).toBe(32_000)
  })
})

describe('limits', () => {
  it('refuse a file whose header says that it is too long', async () => {
    const path = await write('long.wav', encodeWav(buzz(5)))
    await expect(collect(decode(path, { ...LIMITS, maxSeconds: 4 }))).rejects.toMatchObject({ code: 'audio_too_long' })
    expect((await collect(decode(path, { ...LIMITS, maxSeconds: 5 }))).samples.length).toBe(80_000)
  })

  it('stop a file that turns out to be too long', async () => {
    const source = await write('source.wav', encodeWav(buzz(20)))
    const bytes = await encode(ffmpeg, source, '-c:a libmp3lame -write_xing 0 -f mp3'.split(' '))
    const path = await write('long.mp3', bytes)
    await expect(collect(decode(path, { ...LIMITS, maxSeconds: 9 }))).rejects.toMatchObject({ code: 'audio_too_long' })
  })

  it('stop a byte stream that is too large, and leave no temporary file', async () => {
    const spoolDir = join(folder.path)
    const before = await readdir(spoolDir)
    async function* bytes() {
      for (;;) yield Buffer.alloc(10_000)
    }
    await expect(collect(decode(bytes(), { ...LIMITS, maxBytes: 50_000 }))).rejects.toMatchObject({ code: 'too_large' })
    async function* breaks() {
      yield Buffer.alloc(10_000)
      throw new Error('the connection broke')
    }
    await expect(collect(decode(breaks()))).rejects.toThrow('the connection broke')
    expect(await readdir(spoolDir)).toEqual(before)
  })

  it('keep a decoder within its memory', async () => {
    const small = await findFfmpeg({ limits: { memoryBytes: 64 * 1024 * 1024 } })
    const path = await write('greedy.3gp', telephone3gp({ seconds: 2, claimedFrames: 4_000_000 }))
    const decodeSmall = decodeAudio({ ffmpeg: small, limits: LIMITS, spoolDir: folder.path }, path)
    const refused = await collect(decodeSmall).catch((error: unknown) => error)
    await small.close()
    expect(refused).toMatchObject({ code: 'audio_corrupt' })
    const { samples } = await collect(decode(path))
    expect(samples.length).toBeGreaterThanOrEqual(32_000)
  })

  it('end a decoder that makes no progress', async () => {
    const hung = await write('hung', '#!/bin/sh\nexec sleep 60\n')
    await chmod(hung, 0o755)
    const stuck = await findFfmpeg({ ffmpegPath: hung, limits: { stallMs: 200 } })
    const path = await write('sound.wav', encodeWav(buzz(1)))
    const before = await childrenOf(process.pid)
    const blocks = decodeAudio({ ffmpeg: stuck, limits: LIMITS, spoolDir: folder.path }, path)
    await expect(collect(blocks)).rejects.toMatchObject({ code: 'audio_corrupt' })
    expect(await childrenOf(process.pid)).toEqual(before)
  })

  it('end the decoder when the reader leaves or cancels', async () => {
    const own = await findFfmpeg()
    const before = await childrenOf(process.pid)
    const path = await write('hour.wav', encodeWav(new Float32Array(16_000 * 600)))
    const deps = { ffmpeg: own, limits: LIMITS, spoolDir: folder.path }
    for await (const _ of decodeAudio(deps, path)) break
    expect(await childrenOf(process.pid)).toEqual(before)
    const controller = new AbortController()
    const blocks = decodeAudio(deps, path, controller.signal)
    await blocks.next()
    controller.abort()
    let seen = 0
    const drain = async () => {
      for await (const _ of blocks) seen++
    }
    await expect(drain()).rejects.toMatchObject({ code: 'cancelled' })
    // Of 300; what was in the pipe may still come.
    expect(seen).toBeLessThan(30)
    expect(await childrenOf(process.pid)).toEqual(before)
    await own.close()
  })

  it('name what is missing when there is no such program', async () => {
    const choice = { ffmpegPath: join(folder.path, 'no-such-ffmpeg') }
    await expect(findFfmpeg(choice)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a file that points elsewhere', () => {
  const pcm = { brand: 'qt  ', handler: 'soun', timescale: 16_000, ticksPerFrame: 1, codec: 'sowt' } as const
  const silence = Array.from({ length: 8_000 }, () => Buffer.alloc(2))

  it('does not make another file heard', async () => {
    const secret = await write('secret.pcm', Buffer.alloc(100_000, 0x40))
    const bytes = mp4File({ ...pcm, frames: silence, codecBoxes: Buffer.alloc(0), reference: secret })
    const outcome = collect(decode(await write('points.mov', bytes)))
    const samples = await outcome.then(
      (heard) => heard.samples,
      () => new Float32Array(0),
    )
    expect(samples.every((sample) => sample === 0)).toBe(true)
  })

  it('does not open a connection', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/sound`
    const frames = { frames: silence, codecBoxes: Buffer.alloc(0) }
    const tricks = {
      'points.mov': mp4File({ ...pcm, ...frames, reference: url }),
      'list.m3u8': Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${url}\n#EXT-X-ENDLIST\n`),
      'list.mp3': Buffer.from(`ffconcat version 1.0\nfile '${url}'\n`),
      'list.mpd': Buffer.from(`<?xml version="1.0"?><MPD><Period><BaseURL>${url}</BaseURL></Period></MPD>`),
    }
    for (const [name, bytes] of Object.entries(tricks))
      await collect(decode(await write(name, bytes))).catch(() => undefined)
    expect(connections).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })
})
