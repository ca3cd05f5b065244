import { readFile } from 'node:fs/promises'
import { LipikError } from '../platform/errors.ts'

const TOKENS = 32_000

/**
 * The 32,000 tokens of the Llama vocabulary by their number. They come inside a JavaScript file, as one base64 text of
 * lines; it is read as data, never run.
 */
export async function readLlamaVocabulary(path: string): Promise<string[]> {
  const source = await readFile(path, 'utf8')
  const encoded = /llama_vocab_base64\s*=\s*"([A-Za-z0-9+/=]+)"/.exec(source)?.[1] ?? ''
  const tokens = Buffer.from(encoded, 'base64').toString('utf8').split('\n')
  if (tokens.length === TOKENS) return tokens
  throw new LipikError('model_unavailable', `the vocabulary in ${path} has ${tokens.length} tokens, not ${TOKENS}`)
}
