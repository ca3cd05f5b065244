export type FfmpegJob = {
  readonly inputOptions: readonly string[]
  readonly inputPath: string
  readonly outputOptions: readonly string[]
}

export type FfmpegExit = {
  readonly code: number | null
  /** The last of what it complained about; for a cause, never for a client: it may quote the file's own texts. */
  readonly complaint: string
}

export type FfmpegLimits = {
  /** What one run may take of memory. */
  readonly memoryBytes: number
  /** How long to wait for the next byte; the time a reader takes over what it got does not count. */
  readonly stallMs: number
}

export interface Ffmpeg {
  /** What is used and from where, for people. */
  readonly name: string
  /**
   * What the program writes to its standard output, no faster than it is read. Leaving the loop or aborting ends the
   * program, and the generator is done only when the program is gone. Too long a stall throws `audio_corrupt`.
   */
  run(job: FfmpegJob, signal?: AbortSignal): AsyncGenerator<Buffer, FfmpegExit>
  close(): Promise<void>
}
