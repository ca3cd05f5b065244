import type { Command } from './command.ts'

export const doctor: Command = {
  help: 'lipik doctor [--json]\n',
  run: async () => 0,
}
