import type { Environment } from '../config.ts'

export type CommandContext = {
  readonly env: Environment
  /** What the command was asked for. */
  readonly print: (line: string) => void
  /** What a person should know besides. */
  readonly note: (line: string) => void
}

export type Command = {
  readonly help: string
  /** Resolves with the exit code. */
  run(args: readonly string[], context: CommandContext): Promise<number>
}

/** A command as the overview shows it; loaded when called: printing a token must not wait for a database driver. */
export type CommandEntry = { readonly summary: string; readonly load: () => Promise<Command> }

/** The command line itself is wrong: the message and where to find help are shown, and the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
