import { fileURLToPath } from 'node:url'
import { type PortPrinter, runPrintingPort } from './run-printing-port.ts'

const SCRIPT = fileURLToPath(new URL('./files-server.ts', import.meta.url))

export type FilesServer = PortPrinter & { readonly url: string }

export async function runFilesServer(databaseUrl: string, folder: string, script = SCRIPT): Promise<FilesServer> {
  const server = await runPrintingPort(script, [databaseUrl, folder])
  return { ...server, url: `http://127.0.0.1:${server.port}` }
}
