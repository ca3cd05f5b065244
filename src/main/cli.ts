import { argv, env, exit, stderr, stdout } from 'node:process'
import { runCli } from './run-cli.ts'

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`)

/** Whoever read has seen enough (`| head`): what is done goes on, and it is no failure. */
const mayLeave = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error
}
for (const stream of [stdout, stderr]) stream.on('error', mayLeave)

exit(await runCli(argv.slice(2), { env, print: write(stdout), note: write(stderr) }))
