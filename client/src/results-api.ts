import type { FileResult, Script, ShowQuery, TranscriptFormat } from './api-models.ts'
import type { Connection } from './connection.ts'

/** What became of single files. */
export class ResultsApi {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The newest result of a file; with `speech_information`, its segments with speakers, tones and words. */
  file(fileId: string, query: ShowQuery = {}, signal?: AbortSignal): Promise<FileResult> {
    return this.#connection.json(filePath(fileId), { query, signal })
  }

  /** The newest transcript as subtitles or plain text. */
  transcript(
    fileId: string,
    format: TranscriptFormat,
    { script, signal }: { readonly script?: Script; readonly signal?: AbortSignal } = {},
  ): Promise<string> {
    return this.#connection.text(`${filePath(fileId)}/transcript.${format}`, { query: { script }, signal })
  }
}

const filePath = (fileId: string) => `/transcribe/results/file/${encodeURIComponent(fileId)}`
