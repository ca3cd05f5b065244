import { parseArgs } from 'node:util'
import { createLogger } from '../../platform/log.ts'
import { Closing } from '../closing.ts'
import { readConfig } from '../config.ts'
import { type Command, UsageError } from './command.ts'

export const replay: Command = {
  help: `lipik replay CHUNK_ID [--json]

Runs a chunk that was kept (SAVE_AUDIO_DATA=true) through the recogniser again and prints what it said then and what it says
now. Chunk ids are in results read with chunks=true. The service must run, or DATABASE_URL and STORAGE_URL be set.

  --json   everything as one JSON object

Examples:
  lipik replay 0198c0de-7a11-7000-8000-000000000001
`,

  async run(args, { env, note, print }) {
    const options = { json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [chunkId] = positionals
    if (chunkId === undefined || positionals.length > 1) throw new UsageError('one CHUNK_ID is needed')
    const config = readConfig(env)
    const log = createLogger({ level: config.LOG_LEVEL })
    const closing = new Closing(log)
    const { openGround } = await import('../open-ground.ts')
    const { openSpeech } = await import('../open-speech.ts')
    const { transcriberOfFiles } = await import('../describe-files.ts')
    const { replayChunk } = await import('../../worker/replay-chunk.ts')
    try {
      const ground = await openGround({ config, log, closing, ownsDatabase: false, onFatal: () => {} })
      const speech = await openSpeech({ config, env, note, signal: new AbortController().signal })
      closing.add('speech', () => speech.close())
      const { db } = ground.database
      const transcriber = transcriberOfFiles(speech, config)
      const found = await replayChunk({ db, blobs: ground.blobs, transcriber }, chunkId)
      print(values.json ? JSON.stringify(found) : `then: ${found.text_then ?? ''}\nnow:  ${found.text_now}`)
      return 0
    } finally {
      await closing.close()
    }
  },
}
