import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { renderConfiguration } from './render-configuration.ts'
import { renderLicences } from './render-licences.ts'
import { withModelsTable } from './render-models.ts'

const docs = fileURLToPath(new URL('../docs', import.meta.url))

await mkdir(docs, { recursive: true })
await writeFile(`${docs}/configuration.md`, renderConfiguration())
await writeFile(`${docs}/licences.md`, renderLicences())
await writeFile(`${docs}/models.md`, withModelsTable(await readFile(`${docs}/models.md`, 'utf8')))
