import { parseArgs } from 'node:util'
import { SCRIPTS } from '../../speech/language.ts'
import { FORMATS } from '../transcribe/recording.ts'
import { type Command, type CommandEntry, UsageError } from './command.ts'

type Described = {
  readonly name: string
  readonly summary: string
  /** `--port`, `--host`, ... */
  readonly options: readonly string[]
  /** `list`, `pull`, ... for commands that have such. */
  readonly actions: readonly string[]
}

/** What may follow an option. */
const VALUES: Readonly<Record<string, readonly string[]>> = { '--format': FORMATS, '--script': SCRIPTS }
const FOLDERS = ['--out', '--watch']

const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish } as const

/** Knows the other commands by the table they stand in; their options are read from their help, so none can be forgotten. */
export const completionOf = (commands: Readonly<Record<string, CommandEntry>>): Command => ({
  help: `lipik completion bash|zsh|fish

Prints what lets the shell complete commands, options and file names.

Examples:
  source <(lipik completion bash)                            # for this shell; put the line into ~/.bashrc to keep it
  lipik completion zsh > "\${fpath[1]}/_lipik"
  lipik completion fish > ~/.config/fish/completions/lipik.fish
`,

  async run(args, { print }) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
    const [shell = ''] = positionals
    if (positionals.length !== 1 || !Object.hasOwn(SHELLS, shell)) throw new UsageError('name bash, zsh or fish')
    // Just looked up.
    print(SHELLS[shell as keyof typeof SHELLS](await Promise.all(Object.entries(commands).map(describe))).trimEnd())
    return 0
  },
})

async function describe([name, { summary, load }]: [string, CommandEntry]): Promise<Described> {
  if (name === 'completion') return { name, summary, options: ['--help'], actions: Object.keys(SHELLS) }
  const { help } = await load()
  const usage = help.slice(0, help.indexOf('Example'))
  const options = [...new Set(usage.match(/(?<![\w-])--[a-z][a-z-]*/g))]
  const actions = [...usage.matchAll(new RegExp(`^lipik ${name} ([a-z]+)`, 'gm'))].map(([, action = '']) => action)
  return { name, summary, options: [...options, '--help'], actions }
}

const wordsOf = ({ actions, options }: Described): string => [...actions, ...options].join(' ')

function toBash(commands: readonly Described[]): string {
  return `_lipik() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case $previous in
${Object.entries(VALUES)
  .map(([option, values]) => `    ${option}) COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$current")); return ;;`)
  .join('\n')}
    ${FOLDERS.join(' | ')}) COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  case \${COMP_WORDS[1]} in
${commands.map((command) => `    ${command.name}) words="${wordsOf(command)}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current != -* && \${COMP_WORDS[1]} == transcribe ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _lipik lipik
`
}

function toZsh(commands: readonly Described[]): string {
  return `#compdef lipik
_lipik() {
  if ((CURRENT == 2)); then
    local -a commands=(
${commands.map(({ name, summary }) => `      ${quote(`${name}:${summary}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  case $words[CURRENT-1] in
${Object.entries(VALUES)
  .map(([option, values]) => `    ${option}) compadd ${values.join(' ')}; return ;;`)
  .join('\n')}
    ${FOLDERS.join(' | ')}) _files -/; return ;;
  esac
  case $words[2] in
${commands.map((command) => `    ${command.name}) compadd -- ${wordsOf(command)} ;;`).join('\n')}
  esac
  [[ $words[2] == transcribe ]] && _files
}
compdef _lipik lipik
`
}

function toFish(commands: readonly Described[]): string {
  return commands
    .flatMap(({ name, summary, options, actions }) => [
      `complete -c lipik -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
      ...actions.map((action) => `complete -c lipik -n '__fish_seen_subcommand_from ${name}' -f -a ${action}`),
      ...options.map((option) => `complete -c lipik -n '__fish_seen_subcommand_from ${name}' ${fishOption(option)}`),
    ])
    .join('\n')
}

const fishOption = (option: string): string =>
  `-l ${option.slice(2)}${VALUES[option] ? ` -x -a ${quote(VALUES[option].join(' '))}` : FOLDERS.includes(option) ? ' -r' : ''}`

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
