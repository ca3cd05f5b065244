import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stderr, stdin } from 'node:process'
import { parseArgs } from 'node:util'
import { SCRIPTS } from '../../speech/language.ts'
import { findRecordings } from '../transcribe/find-recordings.ts'
import { FORMATS, type Way, type Wish } from '../transcribe/recording.ts'
import { RunLog } from '../transcribe/run-log.ts'
import { type Run, runTranscription } from '../transcribe/run-transcription.ts'
import { showRun } from '../transcribe/show-run.ts'
import { watchFolder } from '../transcribe/watch-folder.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'

const OPTIONS = {
  format: { type: 'string', default: 'txt' },
  out: { type: 'string' },
  language: { type: 'string' },
  script: { type: 'string', default: 'native' },
  url: { type: 'string' },
  token: { type: 'string' },
  watch: { type: 'string' },
  json: { type: 'boolean', default: false },
  fresh: { type: 'boolean', default: false },
} as const

export const transcribe: Command = {
  help: `lipik transcribe INPUT... [--format F] [--out DIR] [--language L] [--script S] [--url URL --token T] [--json]
lipik transcribe --watch FOLDER --out DIR [...]

Writes down what is said in recordings. An INPUT is a file, a folder (with all below it), a pattern in quotes, or - for
standard input. Without --url everything happens in this process, and no service or database is needed (missing models are
fetched first); with it, a running service does the work.

  --format F     txt (default), srt, vtt, json, or several: srt,txt
  --out DIR      folder for the transcripts, made if it is not there; without it they go to standard output
  --language L   what is spoken, for example hi; without, it is heard
  --script S     native (default), roman or devanagari
  --url URL      address of a service; without it, LIPIK_URL
  --token T      token for it; without it, LIPIK_TOKEN, which other users of the machine cannot see
  --watch DIR    transcribes what is in the folder and what arrives there, until Ctrl-C
  --json         one JSON object a line for each recording: {"file", "status", "error", "outputs" or "result", ...}
  --fresh        begins anew; otherwise a run with --out that was broken off goes on where it was
                 (DIR/.lipik-run.ndjson remembers)

The exit code is 0 when all were transcribed, 1 when one was not (the others are), 2 when the command line is wrong.
Progress is shown on a terminal only.

Examples:
  lipik transcribe call.mp3
  lipik transcribe recordings --format srt,txt --out transcripts
  lipik transcribe 'calls/**/*.m4a' --script roman --out transcripts
  ffmpeg -i film.mkv -f wav - | lipik transcribe - --format vtt
  LIPIK_TOKEN=$(lipik token --user asha) lipik transcribe recordings --url http://127.0.0.1:8080 --out transcripts --json
  lipik transcribe --watch inbox --out transcripts
`,

  async run(args, context) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
    const order = readOrder(values, positionals, context)
    const stop = new AbortController()
    const onSignal = () => stop.abort(new Error('stopped; the same command goes on from here'))
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal)
    try {
      return await carryOut(order, context, stop.signal)
    } finally {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal)
    }
  },
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']
type Service = { readonly url: string; readonly token: string }
type Order = {
  readonly inputs: readonly string[]
  readonly watched: string | undefined
  readonly wish: Wish
  readonly out: string | undefined
  readonly service: Service | undefined
  readonly asJson: boolean
  readonly isFresh: boolean
}

function readOrder(values: Values, inputs: readonly string[], { env }: CommandContext): Order {
  const { out, language, watch } = values
  const formats = [...new Set((values.format ?? 'txt').split(','))].map((format) => oneOf(format, FORMATS, '--format'))
  const script = oneOf(values.script ?? 'native', SCRIPTS, '--script')
  if (inputs.length === 0 && watch === undefined) throw new UsageError('name at least one file, folder or pattern')
  if (inputs.length > 0 && watch !== undefined) throw new UsageError('--watch takes no files besides its folder')
  if (watch !== undefined && out === undefined) throw new UsageError('--watch needs --out DIR')
  if (formats.length > 1 && out === undefined) throw new UsageError('several formats need --out DIR')
  return {
    inputs,
    watched: watch,
    wish: { formats, script, ...(language !== undefined && { language }) },
    out,
    service: readService(values.url ?? env.LIPIK_URL, values.token ?? env.LIPIK_TOKEN),
    asJson: values.json ?? false,
    isFresh: values.fresh ?? false,
  }
}

function readService(url: string | undefined, token: string | undefined): Service | undefined {
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`--url is not an address: "${url}"`)
  if (token === undefined) throw new UsageError('--url needs --token T, or LIPIK_TOKEN (lipik token makes one)')
  return { url, token }
}

function oneOf<const T extends string>(value: string, allowed: readonly T[], option: string): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined) throw new UsageError(`${option} is one of ${allowed.join(', ')}, not "${value}"`)
  return found
}

async function carryOut(order: Order, context: CommandContext, signal: AbortSignal): Promise<number> {
  const stdinFolder = await mkdtemp(join(tmpdir(), 'lipik-stdin-'))
  const isTalkative = stderr.isTTY === true
  const view = showRun(context.note, isTalkative ? stderr : null)
  let way: Way | undefined
  try {
    const log = await openLog(order)
    const found = order.watched === undefined ? await findRecordings(order.inputs, { stdin, stdinFolder }) : NOTHING
    for (const { label, reason } of found.missing) {
      view.say(`${label}: ${reason}`)
      if (order.asJson) context.print(JSON.stringify({ file: label, status: 'failed', error: reason }))
    }
    way = await openWay(order, log, context, signal)
    const { out, asJson } = order
    const run: Run = { way, log, view, out, asJson, print: context.print, isTalkative }
    if (order.watched !== undefined) return await watch(order.watched, run, signal)
    const failed = await runTranscription(found.recordings, run)
    return failed + found.missing.length === 0 ? 0 : 1
  } finally {
    view.end()
    await way?.close()
    await rm(stdinFolder, { recursive: true, force: true })
  }
}

const NOTHING = { recordings: [], missing: [] } as const

async function watch(folder: string, run: Run, signal: AbortSignal): Promise<number> {
  let failed = 0
  try {
    for await (const recordings of watchFolder(folder, signal)) failed += await runTranscription(recordings, run)
  } catch (error) {
    // Being stopped is how watching ends.
    if (!signal.aborted) throw error
  }
  return failed === 0 ? 0 : 1
}

/** Another service or another wish is another run: its steps say nothing about this one. */
function openLog({ out, wish, service, isFresh }: Order): Promise<RunLog> {
  const run = JSON.stringify([service?.url ?? 'here', wish])
  return RunLog.open(out === undefined ? undefined : join(out, '.lipik-run.ndjson'), run, isFresh)
}

async function openWay(
  { service, wish }: Order,
  log: RunLog,
  context: CommandContext,
  signal: AbortSignal,
): Promise<Way> {
  if (service === undefined) {
    // Loaded only here: a service far away needs none of the engines.
    const { openLocalWay } = await import('../transcribe/local-way.ts')
    return openLocalWay(wish, context, signal)
  }
  const { openServiceWay } = await import('../transcribe/service-way.ts')
  const onRetry = (error: Error, waitMs: number) =>
    context.note(`${error.message}: trying again in ${Math.ceil(waitMs / 1000)} s`)
  return openServiceWay({ ...service, wish, log, signal, onRetry, countsChunks: stderr.isTTY === true })
}
