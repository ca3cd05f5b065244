import { BUILT_IN_MODELS } from '../src/models/built-in-models.ts'
import { RECOGNITION_MODELS, SYNTHESIS_MODELS } from '../src/models/catalogue.ts'
import type { ModelEntry, ModelSource } from '../src/models/model-entry.ts'

export const TABLE_START = '<!-- made by `npm run docs` from src/models/built-in-models.ts -->'
export const TABLE_END = '<!-- until here -->'

/** The table of docs/models.md between its two marks. */
export function renderModels(): string {
  const rows = Object.entries(BUILT_IN_MODELS).map(
    ([name, entry]) =>
      `| \`${name}\` | ${entry.purpose} | ${size(entry)} | ${entry.licence} | ${sources(entry)} | ${use(name)} |`,
  )
  return [
    TABLE_START,
    '',
    '| model | for | size | licence of the weights | sources, in order | fetched |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    TABLE_END,
  ].join('\n')
}

/** The page with its table made anew; what people wrote around it stays. */
export function withModelsTable(page: string): string {
  const [start, end] = [page.indexOf(TABLE_START), page.indexOf(TABLE_END)]
  if (start < 0 || end < start) throw new Error('docs/models.md has lost the marks around its table')
  return page.slice(0, start) + renderModels() + page.slice(end + TABLE_END.length)
}

function size(entry: ModelEntry): string {
  if (entry.kind === 'remote') return ''
  return `${(entry.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB`
}

const sources = (entry: ModelEntry): string =>
  entry.kind === 'remote' ? '' : entry.sources.map(describeSource).join('; ')

function describeSource(source: ModelSource): string {
  if (source.from === 'npm') return `npm \`${source.package}\``
  return source.from === 'hub' ? `[${new URL(source.url).host}](${source.url})` : source.folder
}

function use(name: string): string {
  if (RECOGNITION_MODELS.includes(name)) return 'to recognise'
  return SYNTHESIS_MODELS.some((each) => each === name) ? 'to speak' : 'when named'
}
