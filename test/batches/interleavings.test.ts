import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { brokenInvariants, type SeenMove, seenMoves, watchMoves } from './invariants.ts'
import { SimulatedWorld } from './simulated-world.ts'

type Step = (world: SimulatedWorld) => Promise<void>

const pick = fc.nat(100)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 3 }).map(
      (files): Step =>
        (world) =>
          world.submit(files),
    ),
  },
  {
    weight: 12,
    arbitrary: pick.map(
      (at): Step =>
        (world) =>
          world.claim(at),
    ),
  },
  {
    weight: 20,
    arbitrary: fc.tuple(pick, pick).map(
      ([at, luck]): Step =>
        (world) =>
          world.work(at, luck),
    ),
  },
  {
    weight: 2,
    arbitrary: pick.map(
      (at): Step =>
        (world) =>
          world.crash(at),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>((world) => world.recover()) },
  {
    weight: 1,
    arbitrary: pick.map(
      (at): Step =>
        (world) =>
          world.stop(at),
    ),
  },
  {
    weight: 1,
    arbitrary: pick.map(
      (at): Step =>
        (world) =>
          world.cancel(at),
    ),
  },
  {
    weight: 1,
    arbitrary: pick.map(
      (at): Step =>
        (world) =>
          world.retry(at),
    ),
  },
  {
    weight: 1,
    arbitrary: pick.map(
      (at): Step =>
        (world) =>
          world.remove(at),
    ),
  },
)

/** As the table in ARCHITECTURE.md draws it, written down once more: a wrong line in the code's own table must not pass. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  queued: ['processing', 'failed'],
  processing: ['processing', 'queued', 'retrying', 'completed', 'partial', 'failed'],
  retrying: ['processing', 'failed'],
  completed: [],
  partial: ['queued'],
  failed: ['queued'],
}

/** Rounds are divided by a person's retry. In each a file is merged at most once, and ends at most once. */
function faultsOf(moves: readonly SeenMove[]): string[] {
  const faults = moves.flatMap(({ from, to }) => (ALLOWED[from]?.includes(to) ? [] : [`${from} -> ${to}`]))
  let merges = 0
  for (const { from, to, merges: began } of moves) {
    if (to === 'queued' && (from === 'failed' || from === 'partial')) merges = 0
    if (began && ++merges > 1) faults.push('merged twice')
  }
  return faults
}

describe('any order of claims, ends, faults, crashes, recoveries, cancellations, retries and deletions', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await openTestDatabase()
    await watchMoves(test.db)
  })
  afterAll(() => test.close())

  async function happens(groups: readonly (readonly Step[])[]): Promise<void> {
    await sql`truncate batches, jobs, turns, workers, seen_moves, graphile_worker._private_jobs`.execute(test.db)
    const world = new SimulatedWorld(test.db)
    await world.submit(2)
    for (const group of groups) {
      // Those of one group happen at the same time, on connections of their own.
      await Promise.all(group.map((happen) => happen(world)))
      expect(await brokenInvariants(test.db)).toEqual([])
    }
    await world.drain()
    expect(await brokenInvariants(test.db)).toEqual([])
    expect(await test.db.selectFrom('jobs').select('id').where('finished_at', 'is', null).execute()).toEqual([])
    expect([...(await seenMoves(test.db)).values()].flatMap(faultsOf)).toEqual([])
    expect(await world.orphanObjects()).toEqual([])
  }

  it('keeps counters equal to rows, ends each file once, merges once, leaves nothing behind', async () => {
    const history = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 10, maxLength: 60 })
    await fc.assert(fc.asyncProperty(history, happens), {
      numRuns: Number(process.env.PROPERTY_RUNS ?? 20),
      endOnFailure: true,
    })
  }, 300_000)
})
