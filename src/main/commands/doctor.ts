import { parseArgs } from 'node:util'
import { ConfigError, type Environment, readConfig } from '../config.ts'
import { type Examination, type Finding, failed, ok } from '../doctor/finding.ts'
import { reasonOf } from '../doctor/reason-of.ts'
import type { Command } from './command.ts'

const MARK = { ok: 'ok', warning: 'WARN', failed: 'FAIL' } as const

export const doctor: Command = {
  help: `lipik doctor [--json]

Says what is installed, reachable and loaded, what is wrong, and how to mend it. Changes nothing but an empty data folder.
Exits with 0 when nothing failed, with 1 otherwise.

  --json   the findings as one JSON object: {"ok", "findings": [{"name", "state", "found", "mend"}]}

Examples:
  lipik doctor
  DATABASE_URL=postgresql://lipik@db/lipik lipik doctor --json
`,

  async run(args, { env, print }) {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } })
    const findings = await Promise.all((await examinations(env)).map(findOut))
    const isWell = findings.every(({ state }) => state !== 'failed')
    if (values.json) print(JSON.stringify({ ok: isWell, findings }, null, 2))
    else print(findings.map(describe).join('\n'))
    return isWell ? 0 : 1
  },
}

/** With wrong settings nothing else can be looked at: nobody knows where to look. */
async function examinations(env: Environment): Promise<Examination[]> {
  try {
    const config = readConfig(env)
    const { machineExaminations } = await import('../doctor/examine-machine.ts')
    const { partExaminations } = await import('../doctor/examine-parts.ts')
    const settings = { name: 'settings', examine: async () => ok('all in order') }
    return [settings, ...machineExaminations(config, env), ...partExaminations(config, env)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const finding = failed(error.faults.join('; '), 'docs/configuration.md describes every setting')
    return [{ name: 'settings', examine: async () => finding }]
  }
}

const findOut = ({ name, examine }: Examination): Promise<Finding> =>
  examine().then(
    (finding) => ({ name, ...finding }),
    (error: unknown) => ({
      name,
      ...failed(reasonOf(error), 'the message says what is missing'),
    }),
  )

const describe = ({ name, state, found, mend }: Finding): string =>
  `${MARK[state].padEnd(5)}${name.padEnd(12)} ${found}${mend === undefined ? '' : `\n${' '.repeat(18)}-> ${mend}`}`
