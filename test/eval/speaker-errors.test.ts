import { describe, expect, it } from 'vitest'
import { speakerErrors } from '../../eval/speaker-errors.ts'

const turn = (startMs: number, endMs: number, speaker: string) => ({ startMs, endMs, speaker })

describe('speaker errors', () => {
  const said = [turn(0, 4000, 'a'), turn(4000, 10_000, 'b')]

  it('are none whatever the voices are called', () => {
    const heard = [turn(0, 4000, 'speaker_2'), turn(4000, 10_000, 'speaker_1')]
    expect(speakerErrors(said, heard)).toEqual({ totalMs: 10_000, wrongMs: 0, oneMs: 4000 })
  })

  it('are the time given to somebody else', () => {
    const heard = [turn(0, 5000, 'x'), turn(5000, 10_000, 'y')]
    expect(speakerErrors(said, heard)).toMatchObject({ wrongMs: 1000 })
  })

  it('leave out speech at once and speech unheard', () => {
    const both = [...said, turn(3000, 5000, 'c')]
    expect(speakerErrors(both, [turn(0, 8000, 'x')])).toMatchObject({ totalMs: 6000 })
  })
})
