import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/main/config.ts'
import { openLanguageModel } from '../../src/main/open-language-model.ts'

const nameFor = async (env: Record<string, string>) => {
  const model = await openLanguageModel(readConfig(env))
  await model.close()
  return model.name
}

describe('who thinks', () => {
  it('is the built-in assistant unless something better is set', async () => {
    expect(await nameFor({})).toBe('built-in')
    expect(await nameFor({ LLM_BASE_URL: 'http://127.0.0.1:1/v1', LLM_MODEL: 'qwen' })).toBe('qwen')
  })
})
