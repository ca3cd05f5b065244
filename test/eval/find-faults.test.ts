import { expect, test } from 'vitest'
import { isRunaway } from '../../eval/find-faults.ts'

const DOOR = 'kids are talking by the door '

test.each([
  { said: 'he went home', heard: 'he went home', is: false },
  { said: 'he went home', heard: `he went ${'home '.repeat(9)}`, is: true },
  { said: `well ${DOOR}`, heard: `well ${DOOR.repeat(6)}`, is: true },
  { said: DOOR, heard: DOOR.repeat(2), is: true },
  { said: DOOR.repeat(6), heard: DOOR.repeat(6), is: false },
  { said: DOOR.repeat(6), heard: `${DOOR.repeat(6)} ${'door '.repeat(9)}`, is: true },
])('"$heard" for "$said" is run away: $is', ({ said, heard, is }) => {
  expect(isRunaway(said, heard)).toBe(is)
})
