import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runLipik } from '../support/run-lipik.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder()
})
afterAll(() => folder.remove())

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const lipik = runLipik(args, { DATA_DIR: folder.path, ...env })
  return { code: await lipik.ended, stdout: lipik.stdout(), stderr: lipik.stderr() }
}

const COMMANDS = ['serve', 'worker', 'transcribe', 'token', 'keys', 'relay', 'models', 'replay', 'doctor', 'completion']

describe('lipik', () => {
  it('says what it can do', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it.each(COMMANDS)('shows how %s is used, with examples', async (name) => {
    const { code, stdout } = await run([name, '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^lipik ${name}`))
    expect(stdout).toContain('Examples:')
  })

  it('is what npm runs, without a shell in between that would keep signals to itself', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(scripts.start).toBe('exec node bin/lipik serve')
  })

  it('does not fail because its reader has seen enough', async () => {
    const pipe = `set -o pipefail; "${process.execPath}" --import tsx src/main/cli.ts models list | true`
    const cwd = fileURLToPath(new URL('../..', import.meta.url))
    expect(await promisify(execFile)('bash', ['-c', pipe], { cwd })).toMatchObject({ stdout: '' })
  })

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    ['no command', [], /lipik <command>/],
    ['an unknown command', ['srve'], /no command "srve"; did you mean "serve"\?/],
    ['the name of something every object has', ['constructor'], /no command "constructor"/],
    ['an unknown option', ['token', '--usr', 'asha'], /'--usr'[\s\S]*lipik token --help/],
    ['an argument nobody asked for', ['doctor', 'please'], /please[\s\S]*lipik doctor --help/],
  ])('answers %s with help and 2', async (_name, args, said) => {
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(said)
  })

  it('names every wrong setting before it does anything', async () => {
    const { code, stderr } = await run(['serve'], { PORT: 'abc', LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/PORT: [\s\S]*LOG_LEVEL: /)
  })
})

describe('lipik token', () => {
  it('prints a token and nothing else', async () => {
    const { code, stdout, stderr } = await run(['token', '--user', 'आशा', '--ttl', '30m'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const { sub, iat = 0, exp } = decodeJwt(stdout.trim())
    expect([sub, exp]).toEqual(['आशा', iat + 1_800])
  })

  it.each([
    [[]],
    [['--user', '']],
    [['--user', 'a', '--ttl', '1 hour']],
    [['--user', 'a', '--ttl', '0s']],
  ])('refuses %j', async (args) => {
    const { code, stdout } = await run(['token', ...args])
    expect([code, stdout]).toEqual([2, ''])
  })

  it('makes no token where the keys are someone else’s', async () => {
    const { code, stdout, stderr } = await run(['token', '--user', 'asha'], {
      AUTH_JWKS_URL: 'https://issuer.example/k',
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('AUTH_JWKS_URL')
  })
})

describe('lipik doctor', { timeout: 120_000 }, () => {
  it('finds nothing wrong with a fresh folder', async () => {
    const { code, stdout } = await run(['doctor', '--json'], { PORT: '0' })
    const { ok, findings } = JSON.parse(stdout)
    expect([code, ok]).toEqual([0, true])
    const names = findings.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['node', 'database', 'storage', 'ffmpeg', 'models', 'port']))
  })

  it('says what is wrong and how to mend it', async () => {
    const env = { PORT: '0', DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', FFMPEG_PATH: '/none/ffmpeg' }
    const { code, stdout } = await run(['doctor'], env)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL database .*ECONNREFUSED[\s\S]*-> check DATABASE_URL/m)
    expect(stdout).toMatch(/^FAIL ffmpeg .*\/none\/ffmpeg/m)
  })
})
