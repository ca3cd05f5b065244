import { access, rename, rm, writeFile } from 'node:fs/promises'
import { readLlamaVocabulary } from '../../models/llama-vocabulary.ts'

/** The model's table is larger than the vocabulary it was trained with. */
const TABLE_TOKENS = 32_768

/** Writes the token table as sherpa-onnx reads it for Moonshine: the token's bytes in base64, and its number. */
export async function makeTokensFile(vocabularyFile: string, target: string): Promise<void> {
  if (
    await access(target).then(
      () => true,
      () => false,
    )
  )
    return
  const vocabulary = await readLlamaVocabulary(vocabularyFile)
  const lines = Array.from({ length: TABLE_TOKENS }, (_, id) => {
    const bytes = bytesOf(vocabulary[id] ?? `<<ST_${id}>>`)
    return `${bytes.toString('base64')} ${id}\n`
  })
  // Whole or not there: a broken table would abort the engine's process.
  const beside = `${target}.${process.pid}`
  try {
    await writeFile(beside, lines.join(''))
    await rename(beside, target)
  } finally {
    await rm(beside, { force: true })
  }
}

function bytesOf(token: string): Buffer {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1]
  return byte ? Buffer.from(byte, 'hex') : Buffer.from(token.replaceAll('\u2581', ' '))
}
