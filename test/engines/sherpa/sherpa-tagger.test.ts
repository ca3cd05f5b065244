import { describe, expect, it } from 'vitest'
import { namedTags } from '../../../src/engines/sherpa/sherpa-tagger.ts'

describe('classes of an audio-tagging model', () => {
  it('become tags, the likeliest class of each, where they are believed', () => {
    const events = [
      { name: 'Speech', prob: 0.9 },
      { name: 'Chuckle, chortle', prob: 0.4 },
      { name: 'Laughter', prob: 0.7 },
      { name: 'Cough', prob: 0.2 },
      { name: 'Baby cry, infant cry', prob: 0.5 },
      { name: 'Background music', prob: 0.8 },
    ]
    expect(namedTags(events)).toEqual([
      { tag: 'laughing', confidence: 0.7 },
      { tag: 'crying', confidence: 0.5 },
    ])
  })

  it('say nothing of speech alone', () => expect(namedTags([{ name: 'Speech', prob: 0.99 }])).toEqual([]))
})
