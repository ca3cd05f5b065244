import { availableParallelism } from 'node:os'
import { createBuiltInAssistant } from '../engines/llm/assistant/built-in-assistant.ts'
import type { LanguageModel } from '../speech/language-model.ts'
import type { Config } from './config.ts'

/** Who thinks: a chat server, a model file, or the rules that come with the service. A vendor's code is loaded only when it is named. */
export async function openLanguageModel(config: Config): Promise<LanguageModel> {
  const { LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: apiKey, LLM_TIMEOUT_SECONDS: seconds } = config
  if (baseUrl !== undefined && model !== undefined) {
    const { createOpenAiChatModel } = await import('../engines/llm/openai-chat-model.ts')
    return createOpenAiChatModel({ baseUrl, model, apiKey, stallMs: seconds * 1000 })
  }
  if (config.LLM_GGUF !== undefined) {
    const { openGgufModel } = await import('../engines/llm/gguf-model.ts')
    return openGgufModel({ path: config.LLM_GGUF, threads: config.ENGINE_THREADS ?? availableParallelism() })
  }
  return createBuiltInAssistant()
}
