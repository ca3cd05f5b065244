import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { ensureModels } from '../src/models/ensure-models.ts'
import { childEntry } from '../src/platform/child-entry.ts'
import { SAMPLE_RATE_HZ } from '../src/speech/ports.ts'
import type { BaselineAnswer, BaselineRequest } from './baseline-child.ts'
import { decodeClip } from './decode-clip.ts'
import type { System } from './system.ts'

const MODEL = 'whisper-small'
const LONG_SECONDS = 30
/** It does not find out the language by itself, so it is told; that is to its advantage. */
const spokenIn = (language: string) => (language === 'en' || language === 'ta' ? language : 'hi')

export async function openBaseline(modelsDir: string): Promise<System> {
  await ensureModels([MODEL], { dir: modelsDir })
  const { path, execArgv } = childEntry(import.meta.url, './baseline-child')
  const child = fork(path, [modelsDir, MODEL], { execArgv: [...execArgv], serialization: 'advanced' })
  await nextMessage(child)
  return {
    name: 'transformers.js',
    async transcribe(file, language) {
      const samples = await decodeClip(file)
      const isLong = samples.length > LONG_SECONDS * SAMPLE_RATE_HZ
      child.send({ samples, language: spokenIn(language), isLong } satisfies BaselineRequest)
      const answer = await nextMessage(child)
      if ('error' in answer) throw new Error(answer.error)
      return { text: answer.text, language: spokenIn(language) }
    },
    async close() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

/** The child answers one request at a time, so the next message is the answer; its death is one too. */
async function nextMessage(child: ChildProcess): Promise<BaselineAnswer> {
  const done = new AbortController()
  const died = once(child, 'exit', { signal: done.signal }).then(
    ([code]) => ({ error: `transformers.js ended with ${code}` }),
    () => ({ error: 'not reached' }),
  )
  const [message] = await Promise.race([once(child, 'message', { signal: done.signal }), died.then((error) => [error])])
  done.abort()
  return message
}
