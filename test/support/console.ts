import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildConsole } from '../../console/build-console.ts'
import { recordingOf } from './instant-engine.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'

/** The console built into a folder of its own, as `bin/lipik` builds it. */
export async function buildTestConsole(): Promise<TemporaryFolder> {
  const folder = await makeTemporaryFolder()
  await buildConsole(folder.path)
  return folder
}

export type ConsolePage = { readonly page: Page; readonly complaints: string[] }

/** A page that writes down everything it complains of; `prepare` comes before its first script. */
export async function openConsolePage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<ConsolePage> {
  const context = await browser.newContext({ locale: 'en-IN', permissions: ['microphone'], ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await prepare(page)
  await page.goto(address)
  return { page, complaints }
}

/** A recording of the instant engine that lasts: what fills it up is so faint that it counts as empty lines. */
export const longRecordingOf = (text: string, seconds: number): Buffer =>
  Buffer.from(recordingOf(text.padEnd(seconds * 16_000, '\n')))

/** Lets files fall on the page, as a hand would. */
export async function dropFiles(page: Page, files: Readonly<Record<string, Buffer>>): Promise<void> {
  const given = Object.entries(files).map(([name, bytes]) => ({ name, base64: bytes.toString('base64') }))
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    for (const { name, base64 } of ${JSON.stringify(given)}) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: 'audio/wav' }))
    }
    return data
  })()`)
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer })
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
}

/** What runs in the page is given as text: the types of a browser are not those of a program in Node.js. */
export const goTo = (page: Page, hash: string): Promise<void> => page.evaluate(`location.assign('${hash}')`)

type Violation = { readonly id: string; readonly impact: string | null; readonly nodes: readonly { html: string }[] }

/** What axe finds serious or critical on the page as it is now. */
export async function seriousFindings({ page, complaints }: ConsolePage): Promise<string[]> {
  const before = complaints.length
  await page.evaluate(axe.source)
  const violations = await page.evaluate<Violation[]>('axe.run().then((found) => found.violations)')
  // axe tries a style element, which the page's policy refuses: that complaint is not the page's.
  complaints.length = before
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
