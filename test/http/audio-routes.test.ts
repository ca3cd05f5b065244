import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRange } from '../../src/http/byte-range.ts'
import { eventually } from '../support/eventually.ts'
import { FilesHarness } from '../support/files-app.ts'
import { wavBytes } from '../support/wav-bytes.ts'

let harness: FilesHarness
let url: string
const wav = wavBytes(32_044)

beforeAll(async () => {
  harness = await FilesHarness.make()
  await harness.open()
  const { batch_upload_id, files } = (await harness.upload([{ filename: 'कॉल.wav', bytes: wav }])).json()
  url = `/files/${files[0].file_id}/audio`
  const status = async () => (await harness.send({ url: `/files/upload/${batch_upload_id}` })).json().status
  await eventually(status, (seen) => seen === 'completed')
})
afterAll(async () => {
  await harness.close()
  await harness.destroy()
})

describe('the audio of a file', () => {
  it('is what was uploaded', async () => {
    const answer = await harness.send({ url })
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['accept-ranges']]).toEqual([
      200,
      'audio/wav',
      'bytes',
    ])
    expect(answer.rawPayload.equals(wav)).toBe(true)
  })

  it('is given in parts', async () => {
    const answer = await harness.send({ url, headers: { range: 'bytes=44-1043' } })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([206, `bytes 44-1043/${wav.length}`])
    expect(answer.rawPayload.equals(wav.subarray(44, 1044))).toBe(true)
    const past = await harness.send({ url, headers: { range: 'bytes=99999999-' } })
    expect([past.statusCode, past.headers['content-range']]).toEqual([416, `bytes */${wav.length}`])
  })

  it("is nobody else's", async () => {
    for (const [path, user] of [
      [url, 'ravi'],
      ['/files/00000000-0000-7000-8000-000000000000/audio', 'asha'],
      ['/files/nonsense/audio', 'asha'],
    ] as const) {
      expect((await harness.send({ url: path }, user)).statusCode).toBe(404)
    }
  })

  it('is not there before storage has it', async () => {
    await harness.close()
    await harness.open({ isStopped: true })
    const { files } = (await harness.upload([{ filename: 'new.wav', bytes: wav }])).json()
    expect((await harness.send({ url: `/files/${files[0].file_id}/audio` })).statusCode).toBe(409)
  })
})

describe('a range', () => {
  it.each([
    [undefined, 'whole'],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=-5', { first: 95, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['bytes=50-5000', { first: 50, last: 99 }],
    ['bytes=9-3', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['seconds=0-1', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
  ])('%s of a hundred bytes is %j', (header, range) => expect(readRange(header, 100)).toEqual(range))
})
