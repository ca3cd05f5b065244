import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { buildTestConsole, dropFiles, longRecordingOf, openConsolePage, seriousFindings } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { openIssuer } from '../support/oidc-issuer.ts'
import { type RunningService, runService } from '../support/running-service.ts'
import type { TemporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
let browser: Browser

beforeAll(async () => {
  if (!hasChromium) return
  folder = await buildTestConsole()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await folder?.remove()
})

describe.runIf(hasChromium)('the console', { timeout: 120_000 }, () => {
  let service: RunningService
  let signedIn: string

  beforeAll(async () => {
    service = await runService({ CONSOLE_DIR: folder.path, BASE_PATH: '/speech' })
    signedIn = `${service.origin}/speech/#token=${await service.tokenOf('asha')}`
  })
  afterAll(() => service?.close())

  it('lets in who pastes a good token, and nobody else', async () => {
    const opened = await openConsolePage(browser, `${service.origin}/speech`)
    const { page, complaints } = opened
    await page.getByLabel('Token').fill('nonsense')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('does not accept this token').waitFor()
    expect(await seriousFindings(opened)).toEqual([])
    await page.getByLabel('Token').fill(await service.tokenOf('ravi'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Nothing here yet').waitFor()
    await page.reload()
    await page.getByText('Nothing here yet').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    // The browser itself reports the refused request.
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([])
    await page.context().close()
  })

  it('takes recordings that fall on it, and gives their transcript to read and hear', async () => {
    const opened = await openConsolePage(browser, signedIn)
    const { page, complaints } = opened
    await page.getByText('Nothing here yet').waitFor()
    expect(page.url()).not.toContain('token')
    await dropFiles(page, {
      'call.wav': longRecordingOf('hello big world\nnamaste kal milte hain', 4),
      'other.wav': longRecordingOf('something else', 1),
      'notes.txt': Buffer.from('this is no recording'),
    })
    await page.getByText('2 of 3 files').waitFor()
    await page.locator('.upload-file.failed', { hasText: 'notes.txt' }).waitFor()
    await page.locator('.batch-row .chip.completed').waitFor()
    expect(await seriousFindings(opened)).toEqual([])

    await page.getByRole('link', { name: 'call.wav' }).click()
    await page.getByText('something else').waitFor()
    expect(await seriousFindings(opened)).toEqual([])
    await page.getByRole('link', { name: 'call.wav' }).click()
    await hearWords(page)
    await page.getByRole('button', { name: 'Devanagari' }).click()
    await page.getByRole('button', { name: 'नमस्ते' }).waitFor()
    expect(await seriousFindings(opened)).toEqual([])
    const srt = page.getByRole('button', { name: 'srt', exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), srt.click()])
    expect(download.suggestedFilename()).toBe('call.srt')
    expect(complaints.filter((each) => !each.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('speaks Hindi and goes dark when told, and remembers both', async () => {
    const opened = await openConsolePage(browser, signedIn)
    const { page, complaints } = opened
    await page.getByRole('button', { name: 'हिं' }).click()
    await page.getByText('रिकॉर्डिंग यहाँ छोड़ें').waitFor()
    await page.getByRole('button', { name: 'रूप: सिस्टम जैसा' }).click()
    await page.getByRole('button', { name: 'रूप: उजला' }).click()
    await page.reload()
    await page.getByText('रिकॉर्डिंग यहाँ छोड़ें').waitFor()
    const html = page.locator('html')
    expect([await html.getAttribute('lang'), await html.getAttribute('data-theme')]).toEqual(['hi', 'dark'])
    expect(await seriousFindings(opened)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('asks nobody but the service, and loads little', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    const line = await context.newCDPSession(page)
    let bytes = 0
    line.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await line.send('Network.enable')
    await page.goto(signedIn)
    await page.getByRole('heading', { name: 'Batches' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect([...asked]).toEqual([service.origin])
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(300_000)
    await context.close()
  })
})

/** Presses words by hand and by key, and looks where the player is. */
async function hearWords(page: Page): Promise<void> {
  const place = () => page.evaluate<number>("document.querySelector('.player input').valueAsNumber")
  const isBetween = (from: number, to: number) => eventually(place, (at) => at >= from && at < to)
  await page.getByRole('button', { name: 'kal', exact: true }).click()
  await isBetween(1.25, 4)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'big', exact: true }).press('Enter')
  await isBetween(0.33, 1.2)
  await page.getByRole('button', { name: 'big', exact: true }).press('ArrowRight')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('world')
}

describe.runIf(hasChromium)('signing in with an issuer', { timeout: 120_000 }, () => {
  it('trades a code and its proof for a token', async () => {
    const issuer = await openIssuer('asha')
    const service = await runService({
      CONSOLE_DIR: folder.path,
      AUTH_JWKS_URL: `${issuer.issuer}/jwks.json`,
      OIDC_ISSUER: issuer.issuer,
      OIDC_CLIENT_ID: 'lipik-console',
    })
    try {
      const { page, complaints } = await openConsolePage(browser, `${service.origin}/`)
      await page.getByRole('button', { name: /^Continue with/ }).click()
      await page.getByText('Nothing here yet').waitFor()
      expect(new URL(page.url()).search).toBe('')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.goto(`${service.origin}/?code=stolen&state=nobody`)
      await page.getByText('not begun in this window').waitFor()
      expect([complaints, issuer.state.refusals]).toEqual([[], 0])
      await page.context().close()
    } finally {
      await service.close()
      await issuer.close()
    }
  })
})
