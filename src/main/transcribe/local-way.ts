import { tmpdir } from 'node:os'
import { decodeAudio } from '../../audio/decode.ts'
import { findFfmpeg } from '../../audio/find-ffmpeg.ts'
import { probeAudio } from '../../audio/probe.ts'
import { toTranscriptView } from '../../batches/result-shape.ts'
import { LipikError } from '../../platform/errors.ts'
import type { Transcript } from '../../speech/transcript.ts'
import { toPlainText, toSrt, toVtt } from '../../transcription/subtitles.ts'
import { transcribeFile } from '../../transcription/transcribe-file.ts'
import type { CommandContext } from '../commands/command.ts'
import { readConfig } from '../config.ts'
import { hearsSounds, transcriberOfFiles } from '../describe-files.ts'
import { openSpeech } from '../open-speech.ts'
import type { Format, Outcome, Recording, Way, Wish } from './recording.ts'

const WRITERS: Readonly<Record<Format, (transcript: Transcript) => string>> = {
  txt: ({ segments }) => toPlainText(segments),
  srt: ({ segments }) => toSrt(segments),
  vtt: ({ segments }) => toVtt(segments),
  json: (transcript) => `${JSON.stringify(toTranscriptView(transcript), null, 2)}\n`,
}

type Show = (doneSeconds: number) => void

/** Everything in this process: no service and no database. One file after the other, because one keeps the processor busy. */
export async function openLocalWay(wish: Wish, context: CommandContext, signal: AbortSignal): Promise<Way> {
  const config = readConfig(context.env)
  const speech = await openSpeech({ config, env: context.env, note: context.note, signal })
  const ffmpeg = await findFfmpeg({ ffmpegPath: config.FFMPEG_PATH, searchPath: context.env.PATH })
  const parts = { ...speech, transcriber: transcriberOfFiles(speech, config) }
  const limits = { maxSeconds: config.MAX_AUDIO_SECONDS, maxBytes: config.MAX_FILE_BYTES }

  const transcribe = async (recording: Recording, show: Show): Promise<Outcome> => {
    const sound = decodeAudio({ ffmpeg, spoolDir: tmpdir(), limits }, recording.path, signal)
    const { transcript, failures } = await transcribeFile(parts, sound, {
      languages: config.ASR_LANGUAGES,
      ...(wish.language !== undefined && { language: wish.language }),
      script: wish.script,
      batchSize: config.INFERENCE_BATCH_SIZE,
      withSounds: hearsSounds(config),
      pauseMs: config.PAUSE_TAG_SECONDS * 1000,
      onProgress: (doneMs) => show(doneMs / 1000),
      signal,
    })
    const faults = failures.map(({ startMs, error }) => `at ${startMs / 1000} s: ${error.message}`)
    const texts = Object.fromEntries(wish.formats.map((format) => [format, WRITERS[format](transcript)]))
    return { kind: 'transcribed', recording, texts, result: toTranscriptView(transcript), faults }
  }

  return {
    async *run(recordings, show) {
      const lengths = await Promise.all(recordings.map(secondsOf))
      const total = lengths.reduce((sum, seconds) => sum + seconds, 0)
      const startedMs = performance.now()
      let before = 0
      for (const [index, recording] of recordings.entries()) {
        yield await transcribe(recording, (seconds) => {
          const done = before + seconds
          show({ secondsLeft: secondsLeft(done, total, performance.now() - startedMs) })
        }).catch((error: unknown) => toFailed(recording, error, signal))
        before += lengths[index] ?? 0
      }
    },
    close: async () => void (await Promise.all([speech.close(), ffmpeg.close()])),
  }
}

/** What cannot be probed will fail by itself; here it only does not count. */
const secondsOf = async ({ path }: Recording): Promise<number> =>
  (await probeAudio(path).catch(() => ({ durationSeconds: 0 }))).durationSeconds

const secondsLeft = (doneSeconds: number, totalSeconds: number, tookMs: number): number | undefined =>
  doneSeconds <= 0 ? undefined : (Math.max(0, totalSeconds - doneSeconds) * tookMs) / 1000 / doneSeconds

function toFailed(recording: Recording, error: unknown, signal: AbortSignal): Outcome {
  const isOfFile = error instanceof LipikError || (error instanceof Error && 'syscall' in error)
  if (signal.aborted || !isOfFile) throw error
  return { kind: 'failed', recording, reason: error.message }
}
