import { argv, env, exit, stderr, stdout } from 'node:process'
import { runCli } from './run-cli.ts'

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`)

exit(await runCli(argv.slice(2), { env, print: write(stdout), note: write(stderr) }))
