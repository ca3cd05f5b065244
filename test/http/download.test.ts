import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BatchId, newId } from '../../src/platform/ids.ts'
import { Pipeline } from '../support/pipeline.ts'

describe('a download that fails in the middle', () => {
  let pipeline: Pipeline
  const batch = newId<BatchId>()
  beforeAll(async () => {
    pipeline = await Pipeline.open()
    await sql`
      insert into batches (id, user_id, options, submitted_files, total_files, audio_seconds)
      values (${batch}, 'asha', '{"script":"native","tags":true}', 4000, 4000, 1)`.execute(pipeline.db)
    // Far more than the buffers between the two ends hold.
    await sql`
      insert into jobs (id, kind, batch_id, user_id, file_id, position, chunk_index, status, turn, filename, audio_seconds, result)
      select gen_random_uuid(), 'file', ${batch}, 'asha', gen_random_uuid(), n, -1, 'completed', n, 'a.wav', 1,
        jsonb_build_object('text', repeat('shabd ', 4000), 'language', 'hi', 'languages', '["hi"]'::jsonb, 'durationMs', 1)
      from generate_series(0, 3999) as n`.execute(pipeline.db)
  })
  afterAll(() => pipeline.close())

  it('breaks the connection off, so that the client can tell', async () => {
    const origin = await pipeline.app.listen({ port: 0, host: '127.0.0.1' })
    const url = `${origin}/transcribe/download/batch/${batch}?format=ndjson`
    const response = await fetch(url, { headers: { authorization: 'Bearer asha' } })
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await sql`alter table jobs rename to jobs_away`.execute(pipeline.db)
    const readOn = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(readOn()).rejects.toThrow()
    await sql`alter table jobs_away rename to jobs`.execute(pipeline.db)
  })
})
