import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { dropFiles, goTo } from '../test/support/console.ts'
import { eventually } from '../test/support/eventually.ts'

/**
 * Takes every page of the console, light and dark, wide and narrow, into docs/images: a service is started on a folder of its own,
 * and transcribes what its own voices said.
 *
 *   npx tsx scripts/make-screenshots.ts [FOLDER] [PAGE...]
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FIXTURES = join(ROOT, 'test/fixtures')
const [, , OUT = join(ROOT, 'docs/images'), ...ONLY] = process.argv
const PATIENCE_MS = 900_000
const WIDE = { width: 1100, height: 760 }
const NARROW = { width: 390, height: 780 }

const BATCHES = [
  ['en-office.wav', 'en-report.wav'],
  ['mixed-account.wav', 'mixed-order.wav', 'hi-rain.wav'],
  ['hi-call.wav'],
]

const folder = await mkdtemp(join(tmpdir(), 'lipik-screenshots-'))
const service = await startService(folder)
const browser = await launchChromium(await speakQuestion())
try {
  await mkdir(OUT, { recursive: true })
  const page = await openPage(browser, WIDE)
  await transcribe(page)
  const addresses = await findAddresses(page)
  await page.context().close()
  for (const [name, hash] of addresses)
    if (ONLY.length === 0 || ONLY.includes(name)) await shootEverywhere(browser, name, hash)
} finally {
  await browser.close()
  service.child.kill('SIGTERM')
  await once(service.child, 'exit')
  await rm(folder, { recursive: true, force: true })
}

async function startService(dataDir: string) {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [join(ROOT, 'bin/lipik'), 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const part of child.stdout) {
    printed += part
    const [, address] = /signed in: (\S+)\n[\s\S]*curl/.exec(printed) ?? []
    if (address !== undefined) return { child, address }
  }
  throw new Error(`the service did not start:\n${printed}`)
}

async function openPage(from: Browser, viewport: typeof WIDE, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await from.newContext({ viewport, colorScheme, locale: 'en-IN', permissions: ['microphone'] })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(service.address)
  return page
}

/** What the microphone hears on the talk page: a question in one of the service's own voices. */
async function speakQuestion(): Promise<string> {
  const [origin = '', token = ''] = service.address.split('/#token=')
  const response = await fetch(`${origin}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'What time is it now?', voice: 'neel', response_format: 'wav' }),
  })
  const path = join(folder, 'question.wav')
  await writeFile(path, new Uint8Array(await response.arrayBuffer()))
  return path
}

async function transcribe(page: Page): Promise<void> {
  for (const names of BATCHES) {
    const files = await Promise.all(names.map(async (name) => [name, await readFile(join(FIXTURES, name))] as const))
    await dropFiles(page, Object.fromEntries(files))
    await page.getByRole('link', { name: 'submitted' }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
  }
  await page
    .locator('.batch-row .chip.completed')
    .nth(BATCHES.length - 1)
    .waitFor()
}

async function findAddresses(page: Page): Promise<[string, string][]> {
  const open = async (name: string) => {
    await page.getByRole('link', { name }).first().click()
    await page.locator('h1', { hasText: name }).waitFor()
    return new URL(page.url()).hash
  }
  await goTo(page, '#/')
  const batch = await open('mixed-account.wav')
  await goTo(page, '#/')
  await open('hi-call.wav')
  await page.locator('.file-row .name').first().waitFor()
  const transcript = await open('hi-call.wav')
  return [
    ['batches', '#/'],
    ['batch', batch],
    ['transcript', transcript],
    ['talk', '#/talk'],
    ['sign-in', '#/'],
  ]
}

async function shootEverywhere(from: Browser, name: string, hash: string): Promise<void> {
  for (const [suffix, viewport, scheme] of [
    ['light', WIDE, 'light'],
    ['dark', WIDE, 'dark'],
    ['phone', NARROW, 'light'],
  ] as const) {
    const page = await openPage(from, viewport, scheme)
    await goTo(page, hash)
    if (name === 'transcript') await page.locator('.word').nth(3).click()
    if (name === 'talk') await talk(page)
    if (name === 'sign-in') await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(OUT, `${name}-${suffix}.png`) })
    await page.context().close()
  }
}

/** Says what the wav file says, and waits until the answer is heard. */
async function talk(page: Page): Promise<void> {
  await page.getByLabel('Voice', { exact: true }).selectOption('tara')
  await page.getByRole('button', { name: 'Start talking' }).click()
  await page.getByText(/answered after/).waitFor()
  const level = () => page.evaluate<number>("document.querySelectorAll('meter')[1].value")
  await eventually(level, (value) => value > 0.5, PATIENCE_MS)
}
