import { describe, expect, it } from 'vitest'
import type { Segment } from '../../src/speech/transcript.ts'
import { joinSeam } from '../../src/transcription/join-seam.ts'
import { segmentOf } from './segments.ts'

/** Speech cut at ten seconds; the second chunk begins a second earlier. */
const SEAM_MS = 10_000
const earlier = (text: string) => segmentOf(text, 6_000, SEAM_MS)
const later = (text: string) => segmentOf(text, 9_000, 14_000)
const joined = (last: string, first: string) => joinSeam(earlier(last), [later(first)], SEAM_MS).map(({ text }) => text)

describe('speech that was cut without a pause', () => {
  it.each([
    ['the same words', 'we will meet at nine', 'at nine in the morning', ['we will meet at nine', 'in the morning']],
    ['other marks and capitals', 'we meet At Nine,', 'at nine. In the morning', ['we meet At Nine,', 'In the morning']],
    ['a word cut in two before', 'we will meet at ni', 'meet at nine sharp', ['we will meet at', 'nine sharp']],
    ['a word cut in two behind', 'we will meet at nine', 'eet at nine sharp', ['we will meet at nine', 'sharp']],
    ['one word', 'we will meet', 'meet at nine', ['we will meet', 'at nine']],
    ['one word beside a garbled one', 'we will meet a', 'meet at nine', ['we will meet', 'at nine']],
    ['all of the second', 'we will meet at nine', 'at nine', ['we will meet at nine', '']],
  ])('keeps once what both wrote: %s', (_, last, first, texts) => {
    expect(joined(last, first)).toEqual(texts)
  })

  it.each([
    ['nothing in common', 'we will meet at nine', 'tomorrow in the morning'],
    ['one short word among garbled ones', 'he is the bes', 'ess is more'],
    ['one word two garbled ones away', 'kal milte hai na ji', 'hai to phir'],
    ['the same words far from the seam', 'nine people will meet there soon', 'meet at nine'],
    ['marks alone', 'so -', '- then'],
  ])('keeps both where that is doubtful: %s', (_, last, first) => {
    expect(joined(last, first)).toEqual([last, first])
  })

  it('keeps both when the second begins behind the seam', () => {
    const late = segmentOf('at nine sharp', 10_001, 12_000)
    expect(joinSeam(earlier('meet at nine'), [late], SEAM_MS).map(({ text }) => text)).toEqual([
      'meet at nine',
      'at nine sharp',
    ])
  })

  it('ends and begins with the words that are left, and their times', () => {
    const [last, first] = joinSeam(earlier('we will meet at ni'), [later('meet at nine sharp now')], SEAM_MS)
    const timesOf = ({ startMs, endMs, words }: Segment) => [startMs, endMs, words.map(({ text }) => text).join(' ')]
    expect(last && timesOf(last)).toEqual([6_000, 9_200, 'we will meet at'])
    expect(first && timesOf(first)).toEqual([11_000, 14_000, 'nine sharp now'])
  })

  it('leaves times alone where words have none of their own', () => {
    const untimed = { ...later('at nine sharp'), words: [] }
    const [, first] = joinSeam(earlier('meet at nine'), [untimed], SEAM_MS)
    expect(first).toMatchObject({ text: 'sharp', startMs: 9_000, endMs: 14_000 })
  })

  it('looks past a sound by itself', () => {
    const sound = segmentOf('', 9_100, 9_300)
    expect(joinSeam(earlier('meet at nine'), [sound, later('at nine sharp')], SEAM_MS).map(({ text }) => text)).toEqual(
      ['meet at nine', '', 'sharp'],
    )
    expect(joinSeam(earlier('meet at nine'), [sound], SEAM_MS)).toHaveLength(2)
  })
})
