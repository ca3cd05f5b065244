import { describe, expect, it } from 'vitest'
import { nameTargets } from '../../src/main/transcribe/find-recordings.ts'
import { describeRun, showRun } from '../../src/main/transcribe/show-run.ts'

const PROGRESS = {
  sentBytes: 12_000_000,
  totalBytes: 45_000_000,
  doneFiles: 3,
  failedFiles: 1,
  totalFiles: 12,
  doneChunks: 14,
  totalChunks: 40,
  secondsLeft: 3723.2,
}

describe('the line of a run', () => {
  it('has bytes, files, chunks and the time that is left', () => {
    expect(describeRun(PROGRESS)).toBe(
      `[${'█'.repeat(5)}${'░'.repeat(15)}]  files 3/12 (1 failed)  sent 12.0 of 45.0 MB  chunks 14/40  1:02:04 left`,
    )
  })

  it('says only what there is', () => {
    const done = { ...PROGRESS, sentBytes: 45_000_000, doneFiles: 12, failedFiles: 0, totalChunks: 0 }
    expect(describeRun(done)).toBe(`[${'█'.repeat(20)}]  files 12/12`)
  })

  it('is drawn on a terminal, cut to its width, and never without one', () => {
    const [written, noted]: [string[], string[]] = [[], []]
    const view = showRun((line) => noted.push(line), { columns: 30, write: (text) => written.push(text) })
    view.show(PROGRESS)
    view.say('a.wav: broken')
    view.end()
    expect(written[0]).toBe(`\r\u001b[K[${'█'.repeat(5)}${'░'.repeat(15)}]  files`)
    expect(noted).toEqual(['a.wav: broken'])
    const unknown: string[] = []
    showRun(() => undefined, { columns: 0, write: (text) => unknown.push(text) }).show(PROGRESS)
    expect(unknown[0]).toHaveLength(79 + '\r\u001b[K'.length)
    const quiet = showRun((line) => noted.push(line), null)
    quiet.show(PROGRESS)
    quiet.end()
    expect(noted).toHaveLength(1)
  })
})

describe('names of transcripts', () => {
  it('are those of the recordings, and no two are the same', () => {
    expect(nameTargets(['a.wav', 'b.wav', 'b.mp3', 'x/b.wav', 'c', 'c.wav', 'c.wav'])).toEqual([
      'a',
      'b.wav',
      'b.mp3',
      'x/b',
      'c',
      'c.wav',
      'c.wav-2',
    ])
  })
})
