import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export type Asset = {
  readonly type: string
  readonly plain: Buffer
  /** By the name of its content coding, the smallest first. */
  readonly packed: ReadonlyMap<'br' | 'gzip', Buffer>
}

/** The built console: a page to be filled in, and files whose names change with their content. */
export type ConsoleFiles = { readonly page: string; readonly assets: ReadonlyMap<string, Asset> }

/** All of it in memory: it is a few hundred kilobytes. Undefined where it was not built. */
export async function loadConsole(folder: string): Promise<ConsoleFiles | undefined> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (page === undefined) return undefined
  const names = (await readdir(join(folder, 'assets'))).filter((name) => extname(name) in TYPES)
  const read = (name: string) => readFile(join(folder, 'assets', name)).catch(() => undefined)
  const assets = await Promise.all(
    names.map(async (name): Promise<[string, Asset]> => {
      const [plain = Buffer.alloc(0), br, gzip] = await Promise.all([
        read(name),
        read(`${name}.br`),
        read(`${name}.gz`),
      ])
      const packed = new Map([...(br ? [['br', br] as const] : []), ...(gzip ? [['gzip', gzip] as const] : [])])
      return [name, { type: TYPES[extname(name)] ?? 'application/octet-stream', plain, packed }]
    }),
  )
  return { page, assets: new Map(assets) }
}
