import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import {
  buildTestConsole,
  dropFiles,
  goTo,
  longRecordingOf,
  openConsolePage,
  seriousFindings,
} from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { type RunningService, runService } from '../support/running-service.ts'
import { ServiceClient } from '../support/service-client.ts'
import type { TemporaryFolder } from '../support/temporary-folder.ts'

const PHONE = { width: 360, height: 740 }
const LOOKS = [
  ['wide and light', { colorScheme: 'light' }],
  ['on a phone, dark, in Hindi', { viewport: PHONE, hasTouch: true, colorScheme: 'dark', locale: 'hi-IN' }],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[]

describe.runIf(hasChromium)('with batches of every kind, the console', { timeout: 120_000 }, () => {
  let folder: TemporaryFolder
  let browser: Browser
  let service: RunningService
  let signedIn: string

  beforeAll(async () => {
    folder = await buildTestConsole()
    service = await runService({ CONSOLE_DIR: folder.path })
    const token = await service.tokenOf('asha')
    signedIn = `${service.origin}/#token=${token}`
    const client = new ServiceClient(service.origin, token)
    const long = `antidisestablishmentarianism${'-and-so-on'.repeat(12)}`
    await client.submit({ 'good.wav': `hello big world\nnamaste ${long} kal milte hain`, 'second.wav': 'two' }, 'a')
    await client.submit({ 'broken.wav': '!bad nothing', 'half.wav': 'fine' }, 'b')
    await client.submit({ 'hopeless.wav': '!bad nothing' }, 'c')
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await folder?.remove()
  })

  const rowOf = (page: Page, name: string) => page.locator('.batch-row', { hasText: name })

  it('cancels, tries again and deletes at the press of a button, and shows each step by itself', async () => {
    const { page, complaints } = await openConsolePage(browser, signedIn)
    const row = rowOf(page, 'slow.wav')
    await dropFiles(page, { 'slow.wav': longRecordingOf('!slow:3000 at last', 1) })
    await row.getByText('Working').waitFor()
    await row.getByRole('progressbar').waitFor()
    await row.getByText(/about \d+ s left/).waitFor()
    await row.getByRole('button', { name: 'Cancel: slow.wav' }).click()
    await row.getByText('Failed', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Retry: slow.wav' }).click()
    await row.getByText('Done').waitFor()

    page.once('dialog', (dialog) => void dialog.dismiss())
    await row.getByRole('button', { name: 'Delete: slow.wav' }).click()
    await row.getByText('Done').waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await row.getByRole('button', { name: 'Delete: slow.wav' }).click()
    await row.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('filters by state and finds by name', async () => {
    const { page, complaints } = await openConsolePage(browser, signedIn)
    const shows = (...names: string[]) =>
      eventually(
        () => page.locator('.batch-row .name').allTextContents(),
        (shown) => shown.join() === names.join(),
      )
    const choose = (filter: string) => page.getByRole('button', { name: filter, exact: true }).click()
    await rowOf(page, 'hopeless.wav').getByText('Failed', { exact: true }).waitFor()
    await rowOf(page, 'broken.wav').getByText('Partly done').waitFor()
    await choose('Failed')
    await shows('hopeless.wav')
    await choose('Partly done')
    await shows('broken.wav')
    await choose('Done')
    await shows('good.wav')
    await choose('All')
    await shows('hopeless.wav', 'broken.wav', 'good.wav')
    const search = page.getByPlaceholder('Search by file name')
    // By any file of a batch, not only by the one that gives it its name.
    await search.fill('second')
    await shows('good.wav')
    await search.fill('no such name')
    await page.getByText('No batch matches').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('can be used by keyboard alone', async () => {
    const { page, complaints } = await openConsolePage(browser, signedIn)
    await rowOf(page, 'good.wav').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 40 && (await focused()) !== text; presses++) await page.keyboard.press('Tab')
      expect(await focused()).toBe(text)
    }
    const choosing = page.waitForEvent('filechooser')
    await tabTo('Choose files')
    await page.keyboard.press('Enter')
    await (await choosing).setFiles([
      { name: 'chosen.wav', mimeType: 'audio/wav', buffer: longRecordingOf('one two', 1) },
    ])
    await rowOf(page, 'chosen.wav').getByText('Done').waitFor()
    await tabTo('chosen.wav')
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: 'chosen.wav' }).waitFor()
    await page.getByText('one two').waitFor()
    await tabTo('chosen.wav')
    await page.keyboard.press('Enter')
    await page.locator('.word').first().waitFor()
    await tabTo('one')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('two')
    await page.keyboard.press('Enter')
    await page.locator('.word.now', { hasText: 'two' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  for (const [look, options] of LOOKS)
    it(`fits and has no serious barrier on any page, ${look}`, async () => {
      const opened = await openConsolePage(browser, signedIn, options)
      const { page, complaints } = opened
      const hrefOf = (name: string) => page.locator('a', { hasText: name }).first().getAttribute('href')
      const batch = await hrefOf('good.wav')
      await goTo(page, batch ?? '')
      await page.locator('.file-row .name').first().waitFor()
      const transcript = await hrefOf('good.wav')
      for (const [hash, there] of [
        ['#/', '.batch-row .name'],
        [batch ?? '', '.file-row .name'],
        [transcript ?? '', '.word'],
        ['#/talk', '.captions'],
        [undefined, '#token'],
      ] as const) {
        if (hash === undefined) await page.getByRole('button', { name: /Sign out|साइन आउट/ }).click()
        else await goTo(page, hash)
        await page.locator(there).first().waitFor()
        expect([there, await overhangOf(page), await seriousFindings(opened)]).toEqual([there, 0, []])
      }
      // This service has no voices, and the browser itself reports the answer that says so.
      expect(complaints.filter((each) => !each.includes('503'))).toEqual([])
      await page.context().close()
    })
})

/** How far the page is wider than its window: what must be scrolled sideways to be read. */
const overhangOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
