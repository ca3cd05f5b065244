import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ffmpeg } from '../../src/audio/ffmpeg.ts'
import { findFfmpeg } from '../../src/audio/find-ffmpeg.ts'
import { probeAudio } from '../../src/audio/probe.ts'
import { speechRoutes } from '../../src/http/speech-routes.ts'
import { LipikError } from '../../src/platform/errors.ts'
import type { SynthesisRequest, Synthesizer } from '../../src/speech/ports.ts'
import { VOICE_ALIASES } from '../../src/speech/resolve-voice.ts'
import { eventually } from '../support/eventually.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { openTestApp } from '../support/test-app.ts'

/** Half a second of a tone for each word; "!fail" fails, "!wait" waits until it is told to stop. */
class ToneSynthesizer implements Synthesizer {
  readonly voices = [
    { id: 'ananya', language: 'hi', gender: 'female' },
    { id: 'tara', language: 'en', gender: 'female' },
    { id: 'dev', language: 'en', gender: 'male' },
  ] as const
  readonly asked: SynthesisRequest[] = []
  stopped = 0

  async *synthesize(request: SynthesisRequest, signal?: AbortSignal) {
    this.asked.push(request)
    for (const word of request.text.match(/\S+/g) ?? []) {
      if (word === '!fail') throw new LipikError('engine_busy', 'too many speak')
      if (word === '!wait')
        await new Promise((resolve) => signal?.addEventListener('abort', resolve)).then(() => this.stopped++)
      signal?.throwIfAborted()
      if (/\p{L}/u.test(word))
        yield { samples: Float32Array.from({ length: 12_000 }, (_, at) => Math.sin(at / 9) / 3), sampleRateHz: 24_000 }
    }
  }
  async close() {}
}

describe('speech in OpenAI’s form', () => {
  const synthesizer = new ToneSynthesizer()
  let app: FastifyInstance
  let client: OpenAI
  let ffmpeg: Ffmpeg
  let folder: TemporaryFolder
  beforeAll(async () => {
    folder = await makeTemporaryFolder()
    ffmpeg = await findFfmpeg({ ffmpegPath: undefined, searchPath: process.env.PATH })
    app = await openTestApp({ userRoutes: [speechRoutes({ synthesizer, ffmpeg, spoolDir: folder.path })] })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    client = new OpenAI({ apiKey: 'asha', baseURL: `${origin}/v1`, maxRetries: 0 })
  })
  afterAll(async () => {
    app.server.closeAllConnections()
    await app.close()
    await ffmpeg.close()
    await folder.remove()
  })
  const say = (input: string, more: object = {}) =>
    client.audio.speech.create({ model: 'tts-1', voice: 'tara', input, response_format: 'wav', ...more })

  it.each([
    ['mp3', 'mp3', 'audio/mpeg'],
    ['opus', 'ogg', 'audio/ogg; codecs=opus'],
    ['aac', 'aac', 'audio/aac'],
    ['flac', 'flac', 'audio/flac'],
  ] as const)('comes as %s', async (response_format, format, media) => {
    const response = await say('one two', { response_format })
    expect(response.headers.get('content-type')).toBe(media)
    const path = join(folder.path, `answer.${format}`)
    await writeFile(path, Buffer.from(await response.arrayBuffer()))
    const probe = await probeAudio(path)
    expect(probe.format).toBe(format)
    // Without a length in its header that of a streamed flac is a guess by bytes.
    expect(probe.durationSeconds).toBeGreaterThan(format === 'flac' ? 0.4 : 0.9)
    expect(probe.durationSeconds).toBeLessThan(1.3)
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.pcm'))).toEqual([])
  })

  it('comes as wav and as bare samples', async () => {
    const wav = Buffer.from(await (await say('one two')).arrayBuffer())
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
    expect(wav.readUInt32LE(24)).toBe(24_000)
    expect(wav.length).toBe(44 + 48_000)
    const pcm = Buffer.from(await (await say('one two', { response_format: 'pcm' })).arrayBuffer())
    expect(pcm.equals(wav.subarray(44))).toBe(true)
  })

  it('is streamed: the first piece is there while the next is made', async () => {
    const response = await say('one !wait two')
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    const { value } = await reader.read()
    expect(value?.length).toBeGreaterThan(44)
    await reader.cancel()
    await eventually(
      async () => synthesizer.stopped,
      (stopped) => stopped === 1,
    )
  })

  it('takes every voice name and the speed', async () => {
    await say('one', { voice: 'ananya', speed: 1.5 })
    expect(synthesizer.asked.at(-1)).toEqual({ text: 'one', voice: 'ananya', speed: 1.5 })
    await say('one', { voice: 'alloy' })
    await say('one', { voice: 'onyx' })
    await say('one', { voice: { id: 'dev' } })
    expect(synthesizer.asked.slice(-3).map(({ voice }) => voice)).toEqual(['tara', 'dev', 'dev'])
  })

  it.each([
    [{ voice: 'nobody' }, 400, 'voice', /there are: ananya, tara, dev/],
    [{ voice: 'constructor' }, 400, 'voice', /no voice/],
    [{ response_format: 'midi' }, 400, 'response_format', /response_format/],
    [{ speed: 9 }, 400, 'speed', /speed/],
    [{ input: '' }, 400, 'input', /input/],
    [{ input: 'x'.repeat(5_000) }, 400, 'input', /input/],
    [{ input: '...' }, 400, 'input', /nothing that can be said/],
    [{ input: '!fail' }, 503, null, /too many speak/],
  ])('says in OpenAI’s form what is wrong with %j', async (fault, status, param, message) => {
    const failure = await say('one', fault).catch((error: unknown) => error)
    expect(failure).toMatchObject({ status, param, error: { message: expect.stringMatching(message) } })
  })

  it('is for those who may', async () => {
    const stranger = await app.inject({ method: 'POST', url: '/v1/audio/speech', payload: {} })
    expect([stranger.statusCode, stranger.json()]).toMatchObject([
      401,
      { error: { type: 'invalid_request_error', code: 'invalid_api_key' }, detail: expect.any(String) },
    ])
  })

  it('has a list of voices with their other names', async () => {
    const response = await app.inject({ url: '/v1/voices', headers: { authorization: 'Bearer asha' } })
    const { voices } = response.json<{ voices: { id: string; aliases: string[] }[] }>()
    expect(voices.map(({ id }) => id)).toEqual(['ananya', 'tara', 'dev'])
    expect(voices[0]).toEqual({ id: 'ananya', language: 'hi', gender: 'female', aliases: [] })
    expect(voices.find(({ id }) => id === 'tara')?.aliases).toContain('alloy')
    expect(Object.keys(VOICE_ALIASES)).toEqual(
      expect.arrayContaining('alloy ash ballad coral echo sage shimmer verse marin cedar'.split(' ')),
    )
  })
})
