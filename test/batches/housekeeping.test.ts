import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentSpeed } from '../../src/batches/estimate.ts'
import { expireBatches } from '../../src/batches/expire-batches.ts'
import { beat, signOff } from '../../src/worker/heartbeat.ts'
import { Pipeline } from '../support/pipeline.ts'

describe('housekeeping of batches', () => {
  let pipeline: Pipeline
  beforeAll(async () => {
    pipeline = await Pipeline.open()
  })
  afterAll(() => pipeline.close())

  it('deletes batches past their time with results and objects, and no others', async () => {
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    const { upload } = await pipeline.upload('asha', ['a\nb'])
    const [old, young] = [
      await pipeline.submit('asha', { batch_upload_id: upload }),
      await pipeline.submit('asha', { batch_upload_id: upload }),
    ]
    await Promise.all([pipeline.ended('asha', old), pipeline.ended('asha', young)])
    await pipeline.stopWorkers()
    await sql`update batches set created_at = now() - interval '8 days' where id = ${old}`.execute(pipeline.db)
    while ((await expireBatches(pipeline.db, 7, { keepObjects: true })) > 0);
    expect(await pipeline.get('asha', `/transcribe/status/batch/${old}`)).toMatchObject({ status: 404 })
    expect(await pipeline.get('asha', `/transcribe/status/batch/${young}`)).toMatchObject({ status: 200 })
    const due = await pipeline.db.selectFrom('pending_deletions').select('storage_key').execute()
    expect(due.filter(({ storage_key }) => storage_key.includes(old))).toHaveLength(4)
    expect(due.filter(({ storage_key }) => storage_key.includes(young))).toEqual([])
  })

  it('estimates by what the live workers measured, and remembers it when they have gone', async () => {
    const worker = (speed: number | undefined) => beat(pipeline.db, { id: 'w', mode: 'chunk', slots: 3, speed })
    const assumed = await currentSpeed(pipeline.db, 25)
    await worker(undefined)
    const before = await currentSpeed(pipeline.db, 25)
    await worker(10)
    expect(await currentSpeed(pipeline.db, 25)).toBe(30)
    expect(before).toBeGreaterThan(assumed)
    await signOff(pipeline.db, 'w')
    await beat(pipeline.db, { id: 'next', mode: 'chunk', slots: 1, speed: undefined })
    expect(await currentSpeed(pipeline.db, 25)).toBe(10)
  })
})
