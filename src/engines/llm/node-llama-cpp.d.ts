/** The slice of the package that we use. It is not installed with the service: with its builds for every machine it is 700 MB. */
declare module 'node-llama-cpp' {
  type FunctionCall = { type: 'functionCall'; name: string; params: unknown; result: unknown }
  type ChatHistoryItem =
    | { type: 'system'; text: string }
    | { type: 'user'; text: string }
    | { type: 'model'; response: (string | FunctionCall)[] }
  type Functions = Record<string, { description?: string; params?: Readonly<Record<string, unknown>> }>
  interface Grammar {
    parse(json: string): unknown
  }
  interface Sequence {
    readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number }
  }
  interface Context {
    getSequence(): Sequence
    dispose(): Promise<void>
  }
  interface Model {
    createContext(options?: { contextSize?: number | { max?: number } }): Promise<Context>
    dispose(): Promise<void>
  }
  interface Llama {
    loadModel(options: { modelPath: string }): Promise<Model>
    createGrammarForJsonSchema(schema: Readonly<Record<string, unknown>>): Promise<Grammar>
    dispose(): Promise<void>
  }
  export function getLlama(options?: {
    build?: 'never' | 'auto'
    maxThreads?: number
    progressLogs?: boolean
  }): Promise<Llama>
  export class LlamaChat {
    constructor(options: { contextSequence: Sequence })
    generateResponse(
      history: ChatHistoryItem[],
      options: {
        onTextChunk?: (text: string) => void
        functions?: Functions
        documentFunctionParams?: boolean
        maxParallelFunctionCalls?: number
        grammar?: Grammar
        signal?: AbortSignal
        stopOnAbortSignal?: boolean
        maxTokens?: number
        temperature?: number
      },
    ): Promise<{
      response: string
      functionCalls?: { functionName: string; params: unknown }[]
      metadata: { stopReason: string }
    }>
    dispose(): void
  }
}
