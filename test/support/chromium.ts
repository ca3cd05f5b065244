import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** A browser of this machine: `CHROMIUM_PATH`, or one on PATH. */
async function findInstalled(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(':')
  const candidates = [
    process.env.CHROMIUM_PATH ?? '',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ]
  for (const path of candidates.filter(Boolean))
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  return undefined
}

/** The npm registry has a browser for x86-64 and none for arm64: there one must be installed, or nothing can be shown. */
export const hasChromium = process.arch === 'x64' || (await findInstalled()) !== undefined

/** A Chromium whose microphone is a wav file and whose speaker is nobody. */
export async function launchChromium(microphone?: string): Promise<Browser> {
  const options: LaunchOptions = {
    args: [
      // Tests run as root in containers, where there is no sandbox to have.
      '--no-sandbox',
      '--autoplay-policy=no-user-gesture-required',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      ...(microphone === undefined ? [] : [`--use-file-for-fake-audio-capture=${microphone}%noloop`]),
    ],
  }
  const installed = await findInstalled()
  if (installed !== undefined) return chromium.launch({ ...options, executablePath: installed })
  return launchPacked(options)
}

/** The browser inside an npm package; where the machine lacks the libraries it needs, the package has those too. */
async function launchPacked(options: LaunchOptions): Promise<Browser> {
  const { default: packed, inflate } = await import('@sparticuz/chromium')
  const executablePath = await packed.executablePath()
  const args = [...(options.args ?? []), ...packed.args.filter((each) => each.startsWith('--single') === false)]
  try {
    return await chromium.launch({ ...options, args, executablePath })
  } catch {
    const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../../bin')
    const libraries = join(await inflate(join(bin, 'al2023.tar.br')), 'lib')
    return chromium.launch({ ...options, args, executablePath, env: { ...process.env, LD_LIBRARY_PATH: libraries } })
  }
}
