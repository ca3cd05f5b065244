/** What is used of JSON Schema in the service's description. */
type Schema = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly description?: string
  readonly format?: string
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Parameter = {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
  readonly description?: string
}
type Operation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
export type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

const HEAD = `/* Made from the service's description (/openapi.json); a test compares. Renew: npx vitest run test/client/api-types.test.ts -u */
`

/** What the client calls and reads the answer of as JSON. */
const CALLED = [
  'cancelBatch',
  'deleteBatch',
  'deleteFiles',
  'downloadBatch',
  'getBatchResults',
  'getBatchStatus',
  'getFileResult',
  'getUpload',
  'listBatches',
  'listFiles',
  'listVoices',
  'retryBatch',
  'submitBatch',
  'uploadFiles',
]

/** Each operation's query, body and answer as TypeScript: the client's types cannot differ from what the service says. */
export function renderClientTypes({ paths }: Description): string {
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => CALLED.includes(operationId))
    .toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1))
  return `${HEAD}\nexport type Operations = {\n${operations.map(renderOperation).join('')}}\n`
}

function renderOperation({ operationId, parameters = [], requestBody, responses }: Operation): string {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const body = requestBody?.content['application/json']?.schema
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const answer = success?.content?.['application/json']?.schema
  const parts = [
    query.length > 0 ? field('query', true, objectOf(query), '    ') : '',
    body ? field('body', true, body, '    ') : '',
    answer ? field('answer', true, answer, '    ') : '',
  ]
  return `  readonly ${operationId}: {\n${parts.join('')}  }\n`
}

const objectOf = (parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
})

function field(name: string, isRequired: boolean, schema: Schema, indent: string): string {
  const comment = schema.description === undefined ? '' : `${indent}/** ${schema.description} */\n`
  const key = /^\w+$/.test(name) ? name : `'${name}'`
  return `${comment}${indent}readonly ${key}${isRequired ? '' : '?'}: ${render(schema, indent)}\n`
}

function render(schema: Schema, indent: string): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => render(choice, indent)).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => render(part, indent)).join(' & ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const { type } = schema
  if (Array.isArray(type)) return type.map((each: string) => render({ ...schema, type: each }, indent)).join(' | ')
  if (type === 'array') return `readonly ${wrapped(render(schema.items ?? {}, indent))}[]`
  if (type === 'object') return renderObject(schema, indent)
  return SIMPLE[String(type)] ?? 'unknown'
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
const wrapped = (type: string): string => (/[|&]/.test(type) && !type.startsWith('{') ? `(${type})` : type)

function renderObject({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `
  const known = Object.entries(properties).map(([name, schema]) => field(name, required.includes(name), schema, inner))
  const more = typeof additionalProperties === 'object' ? [`${inner}readonly [more: string]: unknown\n`] : []
  return known.length + more.length === 0 ? 'object' : `{\n${known.join('')}${more.join('')}${indent}}`
}
