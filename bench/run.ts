import { readdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Bench, Figure } from './support/figure.ts'

const RUNNER = 'run.ts'

const HELP = 'npm run bench -- [NAME...] [--json OUT]   runs the named benchmarks, or all; names: '

/** Every other file of this folder is a benchmark (what they share is in support/): it exports `bench`, and its name is the file's. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const known = await benchNames()
  if (values.help) return console.log(HELP + known.join(', '))
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no such benchmark: ${unknown.join(', ')}; there are ${known.join(', ')}`)
  const figures: Figure[] = []
  for (const name of positionals.length > 0 ? positionals : known) {
    console.log(`\n${name}`)
    const { bench }: { bench: Bench } = await import(`./${name}.ts`)
    const found = await bench((line) => console.log(`  ${line}`))
    for (const figure of found) console.log(`  ${describe(figure)}`)
    figures.push(...found)
  }
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`)
}

async function benchNames(): Promise<string[]> {
  const files = await readdir(new URL('.', import.meta.url), { withFileTypes: true })
  return files
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && file.name !== RUNNER)
    .map(({ name }) => name.slice(0, -'.ts'.length))
    .sort()
}

const describe = ({ name, value, unit, baseline, ratio, spread }: Figure): string =>
  `${name}: ${value.toPrecision(4)} ${unit}, ${ratio.toPrecision(3)} of ${baseline} (spread ${(spread * 100).toFixed(0)} %)`

await main()
