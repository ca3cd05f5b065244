import { createBuiltInAssistant } from '../engines/llm/assistant/built-in-assistant.ts'
import type { LanguageModel } from '../speech/language-model.ts'
import type { Config } from './config.ts'

/** Who thinks: a chat server, or the rules that come with the service. A vendor's code is loaded only when it is named. */
export async function openLanguageModel(config: Config): Promise<LanguageModel> {
  const { LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: apiKey, LLM_TIMEOUT_SECONDS: seconds } = config
  if (baseUrl !== undefined && model !== undefined) {
    const { createOpenAiChatModel } = await import('../engines/llm/openai-chat-model.ts')
    return createOpenAiChatModel({ baseUrl, model, apiKey, stallMs: seconds * 1000 })
  }
  return createBuiltInAssistant()
}
