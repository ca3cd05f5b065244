import { SETTING_GROUPS } from '../src/main/config.ts'
import type { Setting } from '../src/main/settings/setting.ts'

const HEAD = `# Settings

Every setting is an environment variable. An empty value counts as unset. A wrong value stops the start, and every wrong
one is named. This page is made by \`npm run docs\` from the schema that reads them.
`

/** docs/configuration.md, from the schema. */
export const renderConfiguration = (): string =>
  [HEAD, ...Object.entries(SETTING_GROUPS).map(([title, group]) => section(title, group))].join('\n')

function section(title: string, group: Readonly<Record<string, Setting<unknown>>>): string {
  const rows = Object.entries(group).map(([name, setting]) => row(name, setting))
  return [`## ${title}`, '', '| name | meaning | value | default |', '|---|---|---|---|', ...rows, ''].join('\n')
}

const row = (name: string, setting: Setting<unknown>): string =>
  `| ${[`\`${name}\``, setting.meaning, setting.form, fallback(setting)].map(cell).join(' | ')} |`

function fallback({ fallback, fallbackNote }: Setting<unknown>): string {
  if (fallback === undefined) return fallbackNote ?? 'none'
  return fallback === '' ? 'empty' : `\`${fallback}\``
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
