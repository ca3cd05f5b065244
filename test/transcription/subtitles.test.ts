import { describe, expect, it } from 'vitest'
import { toPlainText, toSrt, toVtt } from '../../src/transcription/subtitles.ts'
import { segmentOf } from './segments.ts'

const long = 'मेरा नाम आशा है और मैं दिल्ली से बोल रही हूँ और मुझे अपने बैंक खाते के बारे में कुछ जानकारी चाहिए थी धन्यवाद'

describe('subtitles', () => {
  it('writes SubRip with counted cues and comma times', () => {
    expect(toSrt([segmentOf('haan bilkul', 420, 3900), segmentOf('ok', 3_723_004, 3_724_000)])).toBe(
      '1\n00:00:00,420 --> 00:00:03,900\nhaan bilkul\n\n2\n01:02:03,004 --> 01:02:04,000\nok\n',
    )
  })

  it('writes WebVTT with voices and escaped text', () => {
    const segment = segmentOf('a < b & c', 0, 1000, { speakerId: 'speaker_1' })
    expect(toVtt([segment])).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n<v speaker_1>a &lt; b &amp; c\n')
  })

  it('breaks a long segment into cues of two short lines that share its time', () => {
    const cues = toSrt([segmentOf(long, 0, 12_000)])
      .trim()
      .split('\n\n')
    expect(cues.length).toBeGreaterThan(1)
    for (const cue of cues) {
      const lines = cue.split('\n').slice(2)
      expect(lines.length).toBeLessThanOrEqual(2)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(42)
    }
    const words = cues.flatMap((cue) => cue.split('\n').slice(2).join(' ').split(' '))
    expect(words.join(' ')).toBe(long)
    expect(cues.at(-1)).toContain('--> 00:00:12,000')
  })

  it('writes plain text, speakers only where there are several', () => {
    const first = segmentOf('namaste', 0, 500, { speakerId: 'speaker_1' })
    expect(toPlainText([first, segmentOf('kaise ho', 600, 900, { speakerId: 'speaker_1' })])).toBe('namaste kaise ho\n')
    expect(toPlainText([first, segmentOf('theek', 600, 900, { speakerId: 'speaker_2' })])).toBe(
      'speaker_1: namaste\nspeaker_2: theek\n',
    )
  })

  it('gives an empty but valid file for silence', () => {
    expect(toSrt([])).toBe('')
    expect(toVtt([])).toBe('WEBVTT\n')
    expect(toPlainText([])).toBe('')
  })
})
