import { readFileSync } from 'node:fs'
import { z } from 'zod'

const ROOT = new URL('..', import.meta.url)
const PACKAGE = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  link: z.boolean().optional(),
})
const LOCK = z.object({ packages: z.record(z.string(), PACKAGE) })
const MANIFEST = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()),
})

type Package = { readonly name: string; readonly version: string; readonly licence: string; readonly top: boolean }

/** Everyone may use these inside an Apache-2.0 product without asking; any other licence is listed by name. */
const PERMISSIVE = new Set(['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'])

const readJson = <T>(name: string, schema: z.ZodType<T>): T =>
  schema.parse(JSON.parse(readFileSync(new URL(name, ROOT), 'utf8')))

/** docs/licences.md, from package-lock.json: what the lock pins is what is installed. */
export function renderLicences(): string {
  const packages = lockedPackages()
  const manifest = readJson('package.json', MANIFEST)
  const direct = (names: Readonly<Record<string, string>>) => packages.filter((p) => p.top && p.name in names)
  return [
    '# Licences of the dependencies',
    '',
    'Lipik itself is Apache-2.0. This page is made by `npm run docs` from `package-lock.json`.',
    '',
    ...table('Used by the service', direct({ ...manifest.dependencies, ...manifest.optionalDependencies })),
    ...table('Used to build and test', direct(manifest.devDependencies)),
    ...table(
      'Anywhere in the tree, under another licence than the usual permissive ones',
      packages.filter(({ licence }) => !PERMISSIVE.has(licence)),
    ),
    ...counts(packages),
  ].join('\n')
}

function lockedPackages(): Package[] {
  const { packages } = readJson('package-lock.json', LOCK)
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { version = '?', license = 'not stated' }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      top: path.lastIndexOf('node_modules/') === 0,
    }))
    .filter(({ name, version }, index, all) => index === all.findIndex((p) => p.name === name && p.version === version))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const table = (title: string, rows: readonly Package[]): string[] => [
  `## ${title}`,
  '',
  '| package | version | licence |',
  '|---|---|---|',
  ...rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
  '',
]

function counts(packages: readonly Package[]): string[] {
  const licences = [...new Set(packages.map(({ licence }) => licence))]
  const rows = licences.map((licence) => ({ licence, length: packages.filter((p) => p.licence === licence).length }))
  const sorted = rows.toSorted((a, b) => b.length - a.length || (a.licence < b.licence ? -1 : 1))
  return [
    '## All packages, counted',
    '',
    '| licence | packages |',
    '|---|---|',
    ...sorted.map(({ licence, length }) => `| ${licence} | ${length} |`),
    '',
  ]
}
