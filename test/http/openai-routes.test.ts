import OpenAI, { AuthenticationError, toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { recordingOf } from '../support/instant-engine.ts'
import { Pipeline } from '../support/pipeline.ts'

describe("OpenAI's own client", () => {
  let pipeline: Pipeline
  let client: OpenAI
  beforeAll(async () => {
    pipeline = await Pipeline.open()
    const origin = await pipeline.app.listen({ port: 0, host: '127.0.0.1' })
    client = new OpenAI({ apiKey: 'asha', baseURL: `${origin}/v1`, maxRetries: 0 })
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
  })
  afterAll(() => pipeline.close())
  const file = (text: string) => toFile(recordingOf(text), 'call.wav')

  it('gets the text of a file', async () => {
    const { text } = await client.audio.transcriptions.create({ file: await file('haan\nbilkul'), model: 'whisper-1' })
    expect(text).toBe('haan bilkul')
  })

  it.each([
    ['text', /^haan bilkul\n$/],
    ['srt', /^1\n00:00:00,000 --> 00:00:01,000\nhaan\n/],
    ['vtt', /^WEBVTT\n/],
  ] as const)('gets it as %s', async (response_format, expected) => {
    const answer = await client.audio.transcriptions.create({
      file: await file('haan\nbilkul'),
      model: 'whisper-1',
      response_format,
    })
    expect(answer).toMatch(expected)
  })

  it('gets segments and words', async () => {
    const answer = await client.audio.transcriptions.create({
      file: await file('haan ji\nbilkul'),
      model: 'whisper-1',
      language: 'en',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(answer).toMatchObject({ language: 'english', duration: 2, text: 'haan ji bilkul' })
    expect(answer.segments).toMatchObject([
      { start: 0, end: 1, text: 'haan ji' },
      { start: 1, end: 2 },
    ])
    expect(answer.words?.map(({ word }) => word)).toEqual(['haan', 'ji', 'bilkul'])
  })

  it('is told what is wrong', async () => {
    const model = 'whisper-1'
    type Asked = Omit<OpenAI.Audio.TranscriptionCreateParamsNonStreaming, 'model'>
    const fault = async (asked: Asked) =>
      client.audio.transcriptions.create({ ...asked, model }).catch((error: unknown) => error)
    const type = 'invalid_request_error'
    expect(await fault({ file: await file('!broken') })).toMatchObject({ status: 400, type, code: 'invalid_request' })
    expect(await fault({ file: await file('!bad') })).toMatchObject({ status: 400, type })
    expect(await fault({ file: await file('a'), language: 'fr' })).toMatchObject({
      ...{ status: 400, type, param: 'language', code: 'invalid_value' },
      message: '400 language: must be one of hi, en',
    })
    expect(await fault({ file: await toFile(new Uint8Array(0), 'a.wav') })).toMatchObject({ status: 400, type })
    expect(await fault({ file: await file('x'.repeat(60_000)) })).toMatchObject({
      ...{ status: 413, type, code: 'too_large' },
      message: expect.stringMatching(/^413 a file may have at most/),
    })
  })

  it('is told so by a name it knows when its key is wrong', async () => {
    const stranger = client.withOptions({ apiKey: 'nobody:bad' })
    const failure = await stranger.audio.transcriptions
      .create({ file: await file('a'), model: 'whisper-1' })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(AuthenticationError)
    expect(failure).toMatchObject({ code: 'invalid_api_key', message: expect.stringMatching(/^401 \w/) })
  })

  it('leaves nothing behind, also when it does not wait for the answer', async () => {
    const leaving = new AbortController()
    const slow = client.audio.transcriptions.create(
      { file: await file('!slow:60000 x'), model: 'w' },
      { signal: leaving.signal },
    )
    const until = async () =>
      (await pipeline.db.selectFrom('jobs').select('id').where('kind', '=', 'chunk').execute()).length
    while ((await until()) === 0);
    leaving.abort()
    await expect(slow).rejects.toThrow()
    while ((await until()) > 0);
    expect(await pipeline.db.selectFrom('batches').select('id').execute()).toEqual([])
    const staged = async () => {
      const left: string[] = []
      for await (const key of pipeline.blobs.list('users/')) if (key.includes('/direct/')) left.push(key)
      return left
    }
    await eventually(staged, (left) => left.length === 0)
  })
})
