import { type Kysely, sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/database/schema.ts'
import { type FileId, newId } from '../../src/platform/ids.ts'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { buildTestConsole, goTo, openConsolePage } from '../support/console.ts'
import { type PageTrace, traceOf } from '../support/page-trace.ts'
import { type RunningService, runService } from '../support/running-service.ts'
import type { TemporaryFolder } from '../support/temporary-folder.ts'

const BATCHES = 10_000
const THREE_HOURS_MS = 3 * 3600 * 1000
const SEGMENT_MS = 4000
const WORDS = 12
/** What a page may use of a frame at 60 a second, on a processor that may be half as quick as a laptop's. */
const FRAME_MS = 16
/** A hard fling: ten thousand pixels a second. */
const PIXELS_PER_FRAME = 167
const FRAMES = 100

describe.runIf(hasChromium)('with much to show, the console', { timeout: 180_000 }, () => {
  let folder: TemporaryFolder
  let service: RunningService
  let browser: Browser
  let signedIn: string
  const longFile = newId<FileId>()

  beforeAll(async () => {
    folder = await buildTestConsole()
    service = await runService({ CONSOLE_DIR: folder.path })
    await fill(service.db, longFile)
    browser = await launchChromium()
    signedIn = `${service.origin}/#token=${await service.tokenOf('asha')}`
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await folder?.remove()
  })

  it('scrolls ten thousand batches within the time of a frame', async () => {
    const { page } = await openConsolePage(browser, signedIn)
    await page.getByText('10,000 batches').waitFor()
    await page.locator('.batch-row .name').first().waitFor()
    isFluid(await scrollThrough(browser, page))
    await page.locator('.batch-row .name', { hasText: /^call-1\.wav$/ }).waitFor()
    await page.context().close()
  })

  it('scrolls a transcript of three hours within the time of a frame', async () => {
    const { page } = await openConsolePage(browser, signedIn)
    await goTo(page, `#/files/${longFile}`)
    await page.locator('.segment').first().waitFor()
    isFluid(await scrollThrough(browser, page))
    await page.getByText('2:59:56').waitFor()
    await page.context().close()
  })
})

/** A hundred frames of fast scrolling with Chromium's own record of it, then to the end. */
async function scrollThrough(browser: Browser, page: Page): Promise<PageTrace & { rows: number }> {
  let rows = 0
  const trace = await traceOf(browser, page, async () => {
    rows = await page.evaluate<number>(`(async () => {
      const list = document.querySelector('.virtual')
      let most = 0
      for (let frame = 1; frame <= ${FRAMES}; frame++) {
        list.scrollTop += ${PIXELS_PER_FRAME}
        await new Promise(requestAnimationFrame)
        most = Math.max(most, document.querySelectorAll('.virtual-row').length)
      }
      return most
    })()`)
  })
  await page.evaluate("document.querySelector('.virtual').scrollTop = 1e9")
  return { ...trace, rows }
}

function isFluid({ rows, busyMs, longTasks, tasks, drawnFrames }: Awaited<ReturnType<typeof scrollThrough>>): void {
  // A trace of something else would be fluid too.
  expect(tasks).toBeGreaterThan(FRAMES)
  expect(drawnFrames).toBeGreaterThan(0)
  expect(rows).toBeLessThan(60)
  expect(busyMs / FRAMES).toBeLessThan(FRAME_MS)
  expect(longTasks).toBe(0)
}

/** Ten thousand ended batches of one file each; the newest is three hours long. */
async function fill(db: Kysely<Database>, longFile: string): Promise<void> {
  await sql`
    with made as (
      insert into batches (id, user_id, options, submitted_files, total_files, files_completed, audio_seconds, created_at, finished_at)
      select uuidv7(make_interval(mins => n - ${BATCHES})), 'asha', '{"script":"native","tags":true}', 1, 1, 1, 60,
        now() - make_interval(mins => ${BATCHES} - n), now()
      from generate_series(1, ${BATCHES}::int) as n
      returning id, created_at, round(${BATCHES} - extract(epoch from now() - created_at) / 60) as n
    )
    insert into jobs (id, kind, batch_id, user_id, file_id, position, chunk_index, status, turn, filename, audio_seconds,
      created_at, result)
    select gen_random_uuid(), 'file', id, 'asha', gen_random_uuid(), 0, -1, 'completed', n, 'call-' || n || '.wav', 60,
      created_at, '{"text":"hello","language":"en","languages":["en"],"durationMs":60000,"segments":[]}'
    from made`.execute(db)
  const result = JSON.stringify(longTranscript())
  await sql`
    update jobs set file_id = ${longFile}, result = ${result}::jsonb
    where id = (select id from jobs where kind = 'file' order by created_at desc limit 1)`.execute(db)
}

function longTranscript() {
  const segments = Array.from({ length: THREE_HOURS_MS / SEGMENT_MS }, (_, at) => {
    const startMs = at * SEGMENT_MS
    const wordMs = SEGMENT_MS / WORDS
    const words = Array.from({ length: WORDS }, (_, n) => ({
      text: `word${at}-${n}`,
      startMs: startMs + n * wordMs,
      endMs: startMs + (n + 1) * wordMs,
    }))
    const text = words.map((word) => word.text).join(' ')
    const speakerId = `speaker_${(at % 3) + 1}`
    return { startMs, endMs: startMs + SEGMENT_MS, text, language: 'en', confidence: 1, words, tags: [], speakerId }
  })
  return { text: '', language: 'en', languages: ['en'], durationMs: THREE_HOURS_MS, segments }
}
