import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { decodeAudio } from '../../audio/decode.ts'
import { findFfmpeg } from '../../audio/find-ffmpeg.ts'
import { probeAudio } from '../../audio/probe.ts'
import { toTranscriptView } from '../../batches/result-shape.ts'
import { LipikError } from '../../platform/errors.ts'
import { SCRIPTS, type Script } from '../../speech/language.ts'
import type { Transcript } from '../../speech/transcript.ts'
import { toPlainText, toSrt, toVtt } from '../../transcription/subtitles.ts'
import { transcribeFile } from '../../transcription/transcribe-file.ts'
import { type Config, readConfig } from '../config.ts'
import { openSpeech, type Speech } from '../open-speech.ts'
import { showShare } from '../show-share.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'

const FORMATS = {
  txt: ({ segments }: Transcript) => toPlainText(segments),
  srt: ({ segments }: Transcript) => toSrt(segments),
  vtt: ({ segments }: Transcript) => toVtt(segments),
  json: (transcript: Transcript) => `${JSON.stringify(toTranscriptView(transcript), null, 2)}\n`,
} as const
type Format = keyof typeof FORMATS

export const transcribe: Command = {
  help: `lipik transcribe FILE... [--format txt|srt|vtt|json] [--out DIR] [--language L] [--script native|roman|devanagari]

Writes down what is said in the files, in this process: no service and no database is needed. Text goes to standard
output, or with --out into one file for each recording. Missing models are fetched first.

  --format F     txt (default), srt, vtt or json
  --out DIR      folder for the transcripts, made if it is not there
  --language L   what is spoken, for example hi; without, it is heard
  --script S     native (default), roman or devanagari

The exit code is 1 when a file could not be transcribed; the others are.

Examples:
  lipik transcribe call.mp3
  lipik transcribe *.wav --format srt --out subtitles
  lipik transcribe meeting.m4a --script roman
`,

  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: { type: 'string', default: 'txt' },
        out: { type: 'string' },
        language: { type: 'string' },
        script: { type: 'string', default: 'native' },
      },
    })
    if (positionals.length === 0) throw new UsageError('name at least one file')
    const wish = {
      format: oneOf(values.format, Object.keys(FORMATS) as Format[], '--format'),
      script: oneOf(values.script, SCRIPTS, '--script'),
    }
    const { out, language } = values
    return transcribeAll(
      positionals,
      { ...wish, ...(out !== undefined && { out }), ...(language !== undefined && { language }) },
      context,
    )
  },
}

type Wish = { readonly format: Format; readonly script: Script; readonly out?: string; readonly language?: string }

function oneOf<const T extends string>(value: string, allowed: readonly T[], option: string): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined) throw new UsageError(`${option} is one of ${allowed.join(', ')}, not "${value}"`)
  return found
}

async function transcribeAll(files: readonly string[], wish: Wish, context: CommandContext): Promise<number> {
  const config = readConfig(context.env)
  const { env, note } = context
  const speech = await openSpeech({ config, env, note, signal: new AbortController().signal })
  const ffmpeg = await findFfmpeg({ ffmpegPath: config.FFMPEG_PATH, searchPath: env.PATH })
  if (wish.out !== undefined) await mkdir(wish.out, { recursive: true })
  let failed = 0
  try {
    for (const file of files) {
      const decode = () =>
        decodeAudio(
          {
            ffmpeg,
            spoolDir: tmpdir(),
            limits: { maxSeconds: config.MAX_AUDIO_SECONDS, maxBytes: config.MAX_FILE_BYTES },
          },
          file,
        )
      failed += (await transcribeOne(file, decode, { speech, config, wish, context })) ? 0 : 1
    }
  } finally {
    await Promise.all([speech.close(), ffmpeg.close()])
  }
  return failed === 0 ? 0 : 1
}

type Workplace = {
  readonly speech: Speech
  readonly config: Config
  readonly wish: Wish
  readonly context: CommandContext
}

/** False: the file could not be transcribed, or not all of it; what could be is written all the same. */
async function transcribeOne(
  file: string,
  decode: () => ReturnType<typeof decodeAudio>,
  { speech, config, wish, context }: Workplace,
) {
  try {
    const { durationSeconds } = await probeAudio(file)
    const progress = showShare(basename(file))
    const { transcript, failures } = await transcribeFile(speech, decode(), {
      languages: config.ASR_LANGUAGES,
      ...(wish.language !== undefined && { language: wish.language }),
      script: wish.script,
      batchSize: config.INFERENCE_BATCH_SIZE,
      batchesAtOnce: 2,
      pauseMs: config.PAUSE_TAG_SECONDS * 1000,
      onProgress: (doneMs) => progress.show(doneMs / 1000 / durationSeconds),
    })
    progress.end()
    await write(file, FORMATS[wish.format](transcript), wish, context)
    for (const { startMs, error } of failures) context.note(`${file}: at ${startMs / 1000} s: ${error.message}`)
    return failures.length === 0
  } catch (error) {
    if (!(error instanceof LipikError) && !isFileFault(error)) throw error
    context.note(`${file}: ${error.message}`)
    return false
  }
}

const isFileFault = (error: unknown): error is Error => error instanceof Error && 'syscall' in error

async function write(
  file: string,
  text: string,
  { format, out }: Wish,
  { print, note }: CommandContext,
): Promise<void> {
  if (out === undefined) return print(text.trimEnd())
  const target = join(out, `${basename(file, extname(file))}.${format}`)
  await writeFile(target, text)
  note(`${file} → ${target}`)
}
