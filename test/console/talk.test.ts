import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resample } from '../../src/audio/resampler.ts'
import { encodeWav } from '../../src/audio/wav.ts'
import { createBuiltInAssistant } from '../../src/engines/llm/assistant/built-in-assistant.ts'
import { readConfig } from '../../src/main/config.ts'
import { openSpeaking, type Speaking } from '../../src/main/open-speaking.ts'
import { openSpeech, type Speech } from '../../src/main/open-speech.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../../src/speech/ports.ts'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { buildTestConsole, openConsolePage, seriousFindings } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { modelsDir } from '../support/models.ts'
import { type HeardSound, heardOf, holdMicrophone, listenTo, loudnessOf, speakInto } from '../support/page-sound.ts'
import { type RunningService, runService } from '../support/running-service.ts'
import type { TemporaryFolder } from '../support/temporary-folder.ts'

const PATIENCE_MS = 180_000
const STEP_MS = 60_000
/** Speech is louder than this, and silence is not. */
const AUDIBLE_DB = -45

describe.runIf(hasChromium)('the talk page', { timeout: PATIENCE_MS }, () => {
  let folder: TemporaryFolder
  let service: RunningService
  let speech: Speech
  let speaking: Speaking
  let browser: Browser
  let address: string
  let question: Uint8Array

  beforeAll(async () => {
    const env = { ...process.env, MODELS_DIR: modelsDir }
    const options = { config: readConfig(env), env, note: () => undefined, signal: new AbortController().signal }
    ;[folder, speech, speaking] = await Promise.all([buildTestConsole(), openSpeech(options), openSpeaking(options)])
    const engines = { speech, speaking, thinking: createBuiltInAssistant() }
    service = await runService({ CONSOLE_DIR: folder.path }, engines)
    address = `${service.origin}/#token=${await service.tokenOf('asha')}`
    question = encodeWav(await say(speaking, 'What time is it now?'))
    const microphone = join(folder.path, 'question.wav')
    await writeFile(microphone, question)
    browser = await launchChromium(microphone)
  }, PATIENCE_MS)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await Promise.all([speech?.close(), speaking?.close()])
    await folder?.remove()
  })

  it('hears the microphone, shows what was said, and answers so that it can be heard', async () => {
    const opened = await openConsolePage(browser, address, {}, listenTo)
    const { page, complaints } = opened
    await startTalking(page)
    const said = page.locator('.caption.user')
    await said.getByText(/time/i).waitFor()
    await page.getByText(/current_time\(/).waitFor()
    await page.locator('.caption', { hasText: /the time is/i }).waitFor()
    await page.getByText(/answered after [\d.]+ m?s/).waitFor()
    await barMoves(page)
    await page.getByRole('status').getByText('Listening').waitFor()
    const samples = audiblePartOf(await heardOf(page))
    const [heard] = await speech.transcriber.transcribe([{ samples, languages: ['hi', 'en'] }])
    if (!heard?.ok) throw heard?.error ?? new Error('nothing was heard')
    expect(heard.value.segments.map(({ text }) => text).join(' ')).toMatch(/date is.*\b20\d\d\b/i)
    expect(await seriousFindings(opened)).toEqual([])
    expect(complaints.filter((each) => !each.includes('ScriptProcessorNode'))).toEqual([])
    await page.context().close()
  })

  it('falls silent when told to, and when somebody speaks', async () => {
    const { page } = await openConsolePage(browser, address, {}, (fresh) =>
      Promise.all([listenTo(fresh), holdMicrophone(fresh)]),
    )
    const cut = cutAnswersOf(page)
    const wereCut = (answers: number) =>
      eventually(
        async () => cut.size,
        (size) => size === answers,
      )
    await startTalking(page)
    await askFor(page, STORY)
    await isAudible(page)
    await page.getByRole('button', { name: 'Interrupt' }).click()
    await isSilent(page)
    await page.getByRole('status').getByText('Listening').waitFor()
    await wereCut(1)

    await askFor(page, STORY)
    await isAudible(page)
    await speakInto(page, question)
    await page.getByRole('status').getByText('Hearing you').waitFor()
    await isSilent(page)
    await page.locator('.caption.user').getByText(/time/i).waitFor()
    await wereCut(2)
    expect(await page.getByRole('alert').allTextContents()).toEqual([])
    await page.context().close()
  })
})

/** Long enough to be spoken into, in sentences short enough to begin soon. */
const STORY =
  'A king had a garden. In it stood a tree. The tree bore apples. A bird came at night. It took them all away.'

const isAudible = (page: Page) =>
  eventually(
    () => loudnessOf(page, 0.3),
    (db) => db > AUDIBLE_DB,
    STEP_MS,
  )
const isSilent = (page: Page) =>
  eventually(
    () => loudnessOf(page, 0.3),
    (db) => db < AUDIBLE_DB,
  )

/** The bar that shows the answer. */
const barMoves = (page: Page) =>
  eventually(
    () => page.evaluate<number>("document.querySelectorAll('meter')[1].value"),
    (value) => value > 0.3,
    STEP_MS,
  )

/** What was heard without the silence before and behind it, as recognisers want it. */
function audiblePartOf({ samples, rateHz }: HeardSound): Samples {
  const isLoud = (sample: number) => Math.abs(sample) > 0.01
  const margin = rateHz / 4
  const part = samples.slice(Math.max(0, samples.findIndex(isLoud) - margin), samples.findLastIndex(isLoud) + margin)
  return resample(part, rateHz, SAMPLE_RATE_HZ)
}

/** Answers that the service ended before their end: it stopped making them, or was told how much of them was heard. */
function cutAnswersOf(page: Page): Set<string> {
  const cut = new Set<string>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const event = JSON.parse(String(payload))
      if (event.type === 'conversation.item.truncated') cut.add(event.item_id)
      if (event.type === 'response.done' && event.response.status === 'cancelled')
        for (const { id } of event.response.output) cut.add(id)
    }),
  )
  return cut
}

async function askFor(page: Page, message: string): Promise<void> {
  await page.getByLabel('Or type').fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
}

async function startTalking(page: Page): Promise<void> {
  page.setDefaultTimeout(STEP_MS)
  await page.getByRole('link', { name: 'Talk' }).click()
  await page.getByRole('option', { name: 'Tara' }).waitFor({ state: 'attached' })
  await page.getByLabel('Voice', { exact: true }).selectOption('tara')
  await page.getByRole('button', { name: 'Start talking' }).click()
}

async function say({ synthesizer }: Speaking, text: string): Promise<Samples> {
  const pieces: number[] = [...new Float32Array(SAMPLE_RATE_HZ / 2)]
  for await (const { samples, sampleRateHz } of synthesizer.synthesize({ text, voice: 'neel' }))
    pieces.push(...resample(samples, sampleRateHz, SAMPLE_RATE_HZ))
  return Float32Array.from([...pieces, ...new Float32Array(SAMPLE_RATE_HZ)])
}
