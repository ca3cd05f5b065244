import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../src/main/run-cli.ts'
import { eventually } from '../support/eventually.ts'
import { recordingOf } from '../support/instant-engine.ts'
import { runLipik } from '../support/run-lipik.ts'
import { type RunningService, runService } from '../support/running-service.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { openUnreliableFront, type UnreliableFront } from '../support/unreliable-front.ts'

let service: RunningService
let front: UnreliableFront
let folder: TemporaryFolder
let env: Record<string, string>

beforeAll(async () => {
  service = await runService()
  front = await openUnreliableFront(service.origin)
  folder = await makeTemporaryFolder()
  env = { LIPIK_URL: front.origin, LIPIK_TOKEN: await service.tokenOf('asha') }
})
afterAll(async () => {
  await front.close()
  await service.close()
  await folder.remove()
})

/** The command itself, in this process: its own exit code and all it says. */
async function transcribe(...args: string[]) {
  const printed: string[] = []
  const noted: string[] = []
  const context = {
    env,
    print: (line: string) => void printed.push(line),
    note: (line: string) => void noted.push(line),
  }
  const code = await runCli(['transcribe', ...args], context)
  return { code, printed, noted }
}

async function put(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder.path, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, typeof content === 'string' ? recordingOf(content) : content)
  return path
}

const uploads = () => front.seen.filter((request) => request === 'POST /files/upload').length
const read = (...path: string[]) => readFile(join(folder.path, ...path), 'utf8')

describe('lipik transcribe over a service', { timeout: 90_000 }, () => {
  it('takes a folder, writes every format beside each other, and goes on past a broken file', async () => {
    await put('mixed/a.wav', 'hello\nworld')
    await put('mixed/a.mp3', 'same name')
    await put('mixed/deep/नमस्ते.wav', 'namaste')
    await put('mixed/broken.wav', Buffer.from('this is not sound'))
    await put('mixed/notes.txt', Buffer.from('no recording'))
    const out = join(folder.path, 'mixed-out')
    const { code, printed, noted } = await transcribe(
      join(folder.path, 'mixed'),
      '--format',
      'txt,srt,vtt,json',
      '--out',
      out,
    )
    expect([code, printed]).toEqual([1, []])
    expect(noted).toEqual([expect.stringMatching(/broken\.wav: the file is not audio/)])
    expect((await readdir(out)).toSorted()).toEqual(
      [
        '.lipik-run.ndjson',
        'deep',
        ...['mp3', 'wav'].flatMap((end) => ['json', 'srt', 'txt', 'vtt'].map((format) => `a.${end}.${format}`)),
      ].toSorted(),
    )
    expect(await read('mixed-out', 'a.wav.txt')).toBe('hello world\n')
    expect(await read('mixed-out', 'a.wav.srt')).toMatch(/^1\n00:00:00,000 --> /)
    expect(await read('mixed-out', 'deep', 'नमस्ते.vtt')).toMatch(/^WEBVTT[\s\S]*namaste/)
    expect(JSON.parse(await read('mixed-out', 'a.mp3.json'))).toMatchObject({
      text: 'same name',
      segments: [{ start: 0 }],
    })
  })

  it('prints one object a line for scripts, and the text alone otherwise', async () => {
    const one = await put('json/one.wav', 'the first')
    const two = await put('json/two.wav', '!bad')
    const { code, printed } = await transcribe(join(folder.path, 'json', '*.wav'), '/none/three.wav', '--json')
    const lines = printed.map((line) => JSON.parse(line)).toSorted((a, b) => (a.file < b.file ? -1 : 1))
    expect(code).toBe(1)
    expect(lines).toMatchObject([
      { file: '/none/three.wav', status: 'failed', error: 'there is no such file' },
      { file: one, status: 'completed', result: { text: 'the first' } },
      { file: two, status: 'failed', error: 'chunk 0: no speech can be made of this' },
    ])
    expect(await transcribe(one)).toEqual({ code: 0, printed: ['the first'], noted: [] })
  })

  it('goes on after being killed: nothing is sent twice, and what is done stays done', async () => {
    await put('long/quick.wav', 'quick')
    await put('long/slow.wav', '!slow:4000 slow')
    const args = [join(folder.path, 'long'), '--out', join(folder.path, 'long-out')]
    const before = uploads()
    const followed = () => front.seen.filter((request) => request.endsWith('/events')).length
    const followedBefore = followed()
    const first = runLipik(['transcribe', ...args], env)
    await eventually(async () => followed() > followedBefore, Boolean, 60_000)
    first.child.kill('SIGKILL')
    await first.ended
    expect(uploads() - before).toBe(2)
    expect(await transcribe(...args)).toEqual({ code: 0, printed: [], noted: [] })
    expect([await read('long-out', 'quick.txt'), await read('long-out', 'slow.txt')]).toEqual(['quick\n', 'slow\n'])
    expect(await transcribe(...args, '--json')).toMatchObject({
      code: 0,
      printed: Array(2).fill(expect.stringContaining('done_before')),
    })
    expect(uploads() - before).toBe(2)
    await put('long/quick.wav', 'quick and changed')
    await transcribe(...args)
    expect([uploads() - before, await read('long-out', 'quick.txt')]).toEqual([3, 'quick and changed\n'])
    await transcribe(...args, '--fresh')
    expect(uploads() - before).toBe(5)
  })

  it('begins a failed file anew, and sends files again that the service no longer has', async () => {
    const path = await put('again/a.wav', '!bad')
    const args = [path, '--out', join(folder.path, 'again-out')]
    const before = uploads()
    expect((await transcribe(...args)).code).toBe(1)
    expect((await transcribe(...args)).code).toBe(1)
    expect(uploads() - before).toBe(2)
    // As a run leaves it that was killed, on a service whose files were deleted since.
    const good = await put('again/b.wav', 'good')
    const out = join(folder.path, 'again-out')
    await transcribe(good, '--out', out)
    const log = await read('again-out', '.lipik-run.ndjson')
    const stale = log
      .replace(/"file_id":"[^"]+"/g, '"file_id":"0198c0de-7a11-7000-8000-000000000001"')
      .replaceAll('"done":true', '"batch_id":"gone"')
    await writeFile(join(out, '.lipik-run.ndjson'), stale)
    expect((await transcribe(good, '--out', out)).code).toBe(0)
    expect(uploads() - before).toBe(4)
  })

  it('stops with the reason when the token is refused', async () => {
    const path = await put('token/a.wav', 'a')
    const { code, noted } = await transcribe(path, '--token', 'wrong')
    expect([code, noted.at(-1)]).toEqual([1, expect.stringMatching(/^lipik transcribe: .*\(401\)/)])
  })

  it('reads standard input', async () => {
    const lipik = runLipik(['transcribe', '-', '--format', 'srt'], env, undefined, recordingOf('from a pipe'))
    expect([await lipik.ended, lipik.stderr()]).toEqual([0, ''])
    expect(lipik.stdout()).toMatch(/^1\n00:00:00,000 --> 00:00:01,000\nfrom a pipe\n/)
  })

  it('watches a folder until it is told to stop', async () => {
    await put('inbox/first.wav', 'first')
    const args = ['--watch', join(folder.path, 'inbox'), '--out', join(folder.path, 'watched')]
    const lipik = runLipik(['transcribe', ...args], env)
    const written = (name: string, text: string) =>
      eventually(
        () => read('watched', name).catch(() => ''),
        (found) => found === text,
        60_000,
      )
    await written('first.txt', 'first\n')
    await put('inbox/late/second.wav', 'second')
    await written('late/second.txt', 'second\n')
    lipik.child.kill('SIGINT')
    expect([await lipik.ended, lipik.stdout()]).toEqual([0, ''])
  })

  it.each([
    [['--watch', 'x'], /--watch needs --out/],
    [['a.wav', '--watch', 'x', '--out', 'y'], /no files besides/],
    [['a.wav', '--format', 'srt,txt'], /several formats need --out/],
    [['a.wav', '--url', 'somewhere'], /not an address/],
  ])('answers %j with what is wrong and 2', async (args, said) => {
    const { code, noted } = await transcribe(...args)
    expect([code, noted[0]]).toEqual([2, expect.stringMatching(said)])
  })
})
