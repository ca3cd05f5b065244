import { access, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { decodeAudio } from '../src/audio/decode.ts'
import { findFfmpeg } from '../src/audio/find-ffmpeg.ts'
import type { Config } from '../src/main/config.ts'
import { transcriberOfFiles } from '../src/main/describe-files.ts'
import type { Speech } from '../src/main/open-speech.ts'
import { transcribeFile } from '../src/transcription/transcribe-file.ts'
import { percentage } from './error-rates.ts'
import type { Clip } from './read-manifest.ts'
import { speakerErrors, type Turn } from './speaker-errors.ts'
import type { Table } from './speech-information.ts'

/** Clips beside which lies a NAME.rttm: how much of their speech is given to the wrong person. */
export async function speakerTable(speech: Speech, config: Config, clips: readonly Clip[]): Promise<Table> {
  const rows = []
  for (const clip of clips) {
    const rttm = clip.path.replace(/\.[^.]+$/, '.rttm')
    const isTold = await access(rttm).then(
      () => true,
      () => false,
    )
    if (!isTold) continue
    const errors = speakerErrors(readTurns(await readFile(rttm, 'utf8')), await heardTurns(speech, config, clip.path))
    rows.push({ clip: clip.name, ...errors })
  }
  const lines = rows.map(
    ({ clip, wrongMs, oneMs, totalMs }) =>
      `${clip}: ${percentage(wrongMs, totalMs)} % wrong, one speaker for all ${percentage(oneMs, totalMs)} %`,
  )
  return { name: 'speakers', lines, figures: rows }
}

const readTurns = (rttm: string): Turn[] =>
  rttm
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(([kind]) => kind === 'SPEAKER')
    .map((cells) => {
      const [startMs, lengthMs] = [Number(cells[3]) * 1000, Number(cells[4]) * 1000]
      return { startMs, endMs: startMs + lengthMs, speaker: cells[7] ?? '' }
    })

async function heardTurns(speech: Speech, config: Config, path: string): Promise<Turn[]> {
  const ffmpeg = await findFfmpeg({ ffmpegPath: config.FFMPEG_PATH, searchPath: process.env.PATH })
  try {
    const limits = { maxSeconds: config.MAX_AUDIO_SECONDS, maxBytes: config.MAX_FILE_BYTES }
    const parts = { ...speech, transcriber: transcriberOfFiles(speech, config) }
    const { transcript } = await transcribeFile(parts, decodeAudio({ ffmpeg, limits, spoolDir: tmpdir() }, path), {
      languages: config.ASR_LANGUAGES,
      batchSize: config.INFERENCE_BATCH_SIZE,
      batchesAtOnce: 2,
    })
    return transcript.segments.flatMap(({ startMs, endMs, speakerId }) =>
      speakerId === undefined ? [] : [{ startMs, endMs, speaker: speakerId }],
    )
  } finally {
    await ffmpeg.close()
  }
}
