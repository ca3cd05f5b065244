import { readFileSync } from 'node:fs'
import { type CommandContext, type CommandEntry, UsageError } from './commands/command.ts'
import { didYouMean } from './did-you-mean.ts'
import { packageFile } from './package-file.ts'

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: { summary: 'run the service', load: async () => (await import('./commands/serve.ts')).serve },
  worker: {
    summary: 'run a worker beside the service',
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  transcribe: {
    summary: 'write down what is said in files',
    load: async () => (await import('./commands/transcribe.ts')).transcribe,
  },
  token: {
    summary: "print a token of the service's own issuer",
    load: async () => (await import('./commands/token.ts')).token,
  },
  keys: {
    summary: 'make, list or revoke API keys of realtime sessions',
    load: async () => (await import('./commands/keys.ts')).keys,
  },
  relay: {
    summary: 'keep the key of realtime sessions off browsers',
    load: async () => (await import('./commands/relay.ts')).relay,
  },
  models: {
    summary: 'list, fetch or verify the weights',
    load: async () => (await import('./commands/models.ts')).models,
  },
  replay: {
    summary: 'run a saved chunk again and compare',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  doctor: {
    summary: 'say what works, what does not, and how to mend it',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  completion: {
    summary: 'print what lets a shell complete these commands',
    load: async () => (await import('./commands/completion.ts')).completionOf(COMMANDS),
  },
}

const overview = (): string => `lipik <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join('\n')}

lipik <command> --help   what a command does, with examples
lipik --version          the version

Settings are environment variables: see docs/configuration.md.`

/** Exit codes: 0 done, 1 failed, 2 the command line is wrong. */
export async function runCli(args: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined) {
    context.note(overview())
    return 2
  }
  if (['--help', '-h', 'help'].includes(name)) {
    context.print(overview())
    return 0
  }
  if (name === '--version') {
    context.print(version())
    return 0
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (entry === undefined) {
    context.note(`lipik: there is no command "${name}"${didYouMean(name, Object.keys(COMMANDS))}\n\n${overview()}`)
    return 2
  }
  return runCommand(name, entry, rest, context)
}

async function runCommand(
  name: string,
  entry: CommandEntry,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const command = await entry.load()
  const beforeRest = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (beforeRest.includes('--help') || beforeRest.includes('-h')) {
    context.print(command.help.trimEnd())
    return 0
  }
  try {
    return await command.run(args, context)
  } catch (error) {
    context.note(`lipik ${name}: ${explain(error)}`)
    if (!isUsageError(error)) return 1
    context.note(`\nlipik ${name} --help shows how it is used`)
    return 2
  }
}

/** A message is written for people; a mistake of ours is worth its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const ours = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind) && !isUsageError(error)
  return ours ? (error.stack ?? error.message) : error.message
}

/** What `parseArgs` throws for an option it does not know. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '?'
}
