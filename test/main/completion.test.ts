import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../src/main/run-cli.ts'

async function completionFor(shell: string): Promise<string> {
  const printed: string[] = []
  const code = await runCli(['completion', shell], {
    env: {},
    print: (line) => void printed.push(line),
    note: () => {},
  })
  expect(code).toBe(0)
  return printed.join('\n')
}

let bash: string
beforeAll(async () => {
  bash = await completionFor('bash')
})

/** What a real bash offers after these words. */
function offered(...words: string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ')
  const script = `${bash}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _lipik; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

describe('completion', () => {
  it('offers commands, their actions, options, values and files in bash', () => {
    expect(offered('lipik', 'tr')).toEqual(['transcribe'])
    expect(offered('lipik', 'models', '')).toEqual(expect.arrayContaining(['list', 'pull', 'verify']))
    expect(offered('lipik', 'transcribe', '--w')).toEqual(['--watch'])
    expect(offered('lipik', 'transcribe', 'a.wav', '--format', '')).toEqual(['txt', 'srt', 'vtt', 'json'])
    expect(offered('lipik', 'transcribe', 'READ')).toEqual(['README.md'])
  })

  it('knows every command in every shell', async () => {
    for (const shell of ['zsh', 'fish']) {
      const text = await completionFor(shell)
      for (const name of offered('lipik', '').filter((word) => !word.startsWith('-'))) expect(text).toContain(name)
    }
  })

  it('knows three shells', async () => {
    const noted: string[] = []
    const context = { env: {}, print: () => {}, note: (line: string) => void noted.push(line) }
    expect(await runCli(['completion', 'tcsh'], context)).toBe(2)
    expect(noted[0]).toMatch(/bash, zsh or fish/)
  })
})
