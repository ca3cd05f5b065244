/* Made from the service's description (/openapi.json); a test compares. Renew: npx vitest run test/client/api-types.test.ts -u */

export type Operations = {
  readonly cancelBatch: {
    readonly answer: {
      readonly batch_id: string
      /** How many files this was done to. */
      readonly files: number
    }
  }
  readonly deleteBatch: {
    readonly answer: {
      readonly batch_id: string
      /** How many files this was done to. */
      readonly files: number
    }
  }
  readonly deleteFiles: {
    readonly body: {
      readonly file_ids: readonly string[]
    }
    readonly answer: {
      readonly deleted_file_ids: readonly string[]
      readonly deleted_count: number
      readonly storage_objects_deleted: number
      readonly jobs_cleaned: number
    }
  }
  readonly downloadBatch: {
    readonly query: {
      /** Chunk results inline. */
      readonly chunks?: boolean
      /** Segments with speaker, tone, accent and words. */
      readonly speech_information?: boolean
      readonly status?: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
      readonly format?: 'ndjson' | 'json'
      /** Job records instead of merged files. */
      readonly raw?: boolean
    }
    /** One result a line, or one JSON object. */
    readonly answer: unknown
  }
  readonly getBatchResults: {
    readonly query: {
      /** Chunk results inline. */
      readonly chunks?: boolean
      /** Segments with speaker, tone, accent and words. */
      readonly speech_information?: boolean
      readonly status?: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
      readonly page?: number
      readonly limit?: number
      /** Job records instead of merged files. */
      readonly raw?: boolean
    }
    readonly answer: {
      readonly batch_id: string
      readonly page: number
      readonly limit: number
      readonly total_pages: number
      readonly count: number
      readonly total_files: number
      readonly files: readonly {
        readonly file_id: string
        readonly filename: string
        readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
        readonly batch_id: string
        readonly result?: {
          readonly text: string
          readonly language: string | null
          readonly languages: readonly string[]
          readonly duration_seconds: number
          /** Only with speech_information=true. */
          readonly segments?: readonly {
            readonly start: number
            readonly end: number
            readonly text: string
            readonly language: string
            readonly confidence: number
            readonly speaker_id: string | null
            readonly speaker_confidence: number | null
            readonly tone: string | null
            readonly tone_confidence: number | null
            readonly accent: string | null
            readonly accent_confidence: number | null
            readonly tags: readonly string[]
            readonly tag_times: readonly {
              readonly start: number
              readonly end: number
              readonly tag: string
              readonly confidence: number
              readonly [more: string]: unknown
            }[]
            readonly words: readonly {
              readonly start: number
              readonly end: number
              readonly word: string
              readonly [more: string]: unknown
            }[]
            readonly [more: string]: unknown
          }[]
        }
        readonly errors?: readonly {
          readonly code: string
          readonly message: string
          readonly chunk_index: number | null
          readonly attempts: number
        }[]
        /** Only with chunks=true. */
        readonly chunk_results?: readonly {
          readonly chunk_id: string
          readonly chunk_index: number
          readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
          readonly [more: string]: unknown
        }[]
        /** This and the following: only in development mode. */
        readonly total_chunks?: number
        readonly completed_chunks?: number
        readonly failed_chunks?: number
      }[]
    } | {
      readonly batch_id: string
      readonly page: number
      readonly limit: number
      readonly total_pages: number
      readonly count: number
      readonly total_jobs: number
      readonly jobs: readonly {
        readonly job_id: string
        readonly kind: 'file' | 'chunk'
        readonly file_id: string
        readonly batch_id: string
        readonly chunk_index: number | null
        readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
        readonly attempts: number
        readonly error: {
          readonly code: string
          readonly message: string
        } | null
        readonly result: {
          readonly text: string
          readonly [more: string]: unknown
        } | null
        readonly created_at: string
        readonly started_at: string | null
        readonly finished_at: string | null
      }[]
    }
  }
  readonly getBatchStatus: {
    readonly query: {
      /** Seconds to wait for a change. */
      readonly wait?: number
    }
    readonly answer: {
      readonly batch_id: string
      readonly total_files: number
      /** Completed and partial files. */
      readonly files_completed: number
      readonly files_failed: number
      readonly estimated_audio_seconds: number
      readonly estimated_completion_seconds: number
      readonly status: 'queued' | 'processing' | 'completed' | 'partial' | 'failed'
      readonly created_at: string
      readonly finished_at: string | null
      /** This and the following: only in development mode. */
      readonly total_jobs?: number
      readonly completed_jobs?: number
      readonly failed_jobs?: number
      readonly processing_jobs?: number
      readonly queued_jobs?: number
      readonly files_processing?: number
    }
  }
  readonly getFileResult: {
    readonly query: {
      /** Chunk results inline. */
      readonly chunks?: boolean
      /** Segments with speaker, tone, accent and words. */
      readonly speech_information?: boolean
      /** Letters to write it in; left out: as the batch asked for. */
      readonly script?: 'native' | 'roman' | 'devanagari'
    }
    readonly answer: {
      readonly file_id: string
      readonly filename: string
      readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
      readonly batch_id: string
      readonly result?: {
        readonly text: string
        readonly language: string | null
        readonly languages: readonly string[]
        readonly duration_seconds: number
        /** Only with speech_information=true. */
        readonly segments?: readonly {
          readonly start: number
          readonly end: number
          readonly text: string
          readonly language: string
          readonly confidence: number
          readonly speaker_id: string | null
          readonly speaker_confidence: number | null
          readonly tone: string | null
          readonly tone_confidence: number | null
          readonly accent: string | null
          readonly accent_confidence: number | null
          readonly tags: readonly string[]
          readonly tag_times: readonly {
            readonly start: number
            readonly end: number
            readonly tag: string
            readonly confidence: number
            readonly [more: string]: unknown
          }[]
          readonly words: readonly {
            readonly start: number
            readonly end: number
            readonly word: string
            readonly [more: string]: unknown
          }[]
          readonly [more: string]: unknown
        }[]
      }
      readonly errors?: readonly {
        readonly code: string
        readonly message: string
        readonly chunk_index: number | null
        readonly attempts: number
      }[]
      /** Only with chunks=true. */
      readonly chunk_results?: readonly {
        readonly chunk_id: string
        readonly chunk_index: number
        readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
        readonly [more: string]: unknown
      }[]
      /** This and the following: only in development mode. */
      readonly total_chunks?: number
      readonly completed_chunks?: number
      readonly failed_chunks?: number
    }
  }
  readonly getUpload: {
    readonly answer: {
      readonly batch_upload_id: string
      readonly status: 'accepted' | 'completed' | 'failed'
      readonly total_files: number
      readonly completed: number
      readonly failed: number
      readonly uploading: number
      readonly pending: number
      readonly files: readonly {
        readonly file_id: string
        readonly filename: string
        readonly size_bytes: number
        readonly estimated_duration_seconds: number
        readonly upload_status: 'pending' | 'uploading' | 'completed' | 'failed'
        readonly batch_upload_id: string
        readonly content_type: string
        /** RFC 3339, UTC */
        readonly created_at: string
        /** Storage key; only when completed. */
        readonly gcs_key?: string
        /** Why; only when failed. */
        readonly error?: string
      }[]
    }
  }
  readonly listBatches: {
    readonly query: {
      readonly page?: number
      readonly limit?: number
      readonly status?: 'queued' | 'processing' | 'completed' | 'partial' | 'failed'
      /** Part of a file's name, or the beginning of the batch's id. */
      readonly search?: string
      /** `as_of` of the first page: later batches are left out. */
      readonly as_of?: string
    }
    readonly answer: {
      readonly page: number
      readonly limit: number
      readonly total_pages: number
      readonly total_batches: number
      readonly count: number
      /** Newest batch of the list; pass it on to keep pages from shifting. */
      readonly as_of?: string
      readonly batches: readonly {
        readonly batch_id: string
        readonly total_files: number
        /** Completed and partial files. */
        readonly files_completed: number
        readonly files_failed: number
        readonly estimated_audio_seconds: number
        readonly estimated_completion_seconds: number
        readonly status: 'queued' | 'processing' | 'completed' | 'partial' | 'failed'
        readonly created_at: string
        readonly finished_at: string | null
        /** This and the following: only in development mode. */
        readonly total_jobs?: number
        readonly completed_jobs?: number
        readonly failed_jobs?: number
        readonly processing_jobs?: number
        readonly queued_jobs?: number
        readonly files_processing?: number
        readonly first_filename: string | null
      }[]
    }
  }
  readonly listFiles: {
    readonly query: {
      readonly page?: number
      readonly limit?: number
      readonly upload_status?: 'pending' | 'uploading' | 'completed' | 'failed'
      /** `as_of` of the first page: later files are left out. */
      readonly as_of?: string
    }
    readonly answer: {
      readonly page: number
      readonly limit: number
      readonly total_pages: number
      readonly total_files: number
      readonly count: number
      /** Newest file of the list; pass it on to keep pages from shifting. */
      readonly as_of?: string
      readonly files: readonly {
        readonly file_id: string
        readonly filename: string
        readonly size_bytes: number
        readonly estimated_duration_seconds: number
        readonly upload_status: 'pending' | 'uploading' | 'completed' | 'failed'
        readonly batch_upload_id: string
        readonly content_type: string
        /** RFC 3339, UTC */
        readonly created_at: string
        /** Storage key; only when completed. */
        readonly gcs_key?: string
        /** Why; only when failed. */
        readonly error?: string
      }[]
    }
  }
  readonly listVoices: {
    readonly answer: {
      readonly voices: readonly {
        readonly id: string
        /** ISO 639-1. */
        readonly language: string
        readonly gender: 'female' | 'male'
        /** Other names that mean this voice. */
        readonly aliases: readonly string[]
      }[]
    }
  }
  readonly retryBatch: {
    readonly answer: {
      readonly batch_id: string
      /** How many files this was done to. */
      readonly files: number
    }
  }
  readonly submitBatch: {
    readonly body: {
      /** All completed files of that upload. */
      readonly batch_upload_id?: string
      /** Completed files, of any upload. */
      readonly file_ids?: readonly string[]
      /** Each has either gcs_key or url. */
      readonly sources?: readonly {
        /** Storage key of one of the caller's objects. */
        readonly gcs_key?: string
        /** Address to fetch the audio from. */
        readonly url?: string
        readonly filename?: string
      }[]
      /** Spoken language of every file; left out: decided from the audio. */
      readonly language?: string
      /** Letters the transcript is written in. */
      readonly script?: 'native' | 'roman' | 'devanagari'
      /** Whether tags such as [laughing] and [pause] stand in the text. */
      readonly tags?: boolean
      /** Told when the batch has ended; see docs/webhooks.md. */
      readonly webhook_url?: string
      /** What the webhook is signed with; left out: made, and given in the answer. */
      readonly webhook_secret?: string
    }
    readonly answer: {
      readonly batch_id: string
      readonly total_jobs: number
      readonly estimated_audio_seconds: number
      readonly estimated_completion_seconds: number
      /** Only with webhook_url. */
      readonly webhook_secret?: string
      readonly jobs: readonly {
        readonly file_id: string
        readonly filename: string
        readonly batch_id: string
        readonly status: 'queued'
      }[]
    }
  }
  readonly uploadFiles: {
    /** Every file was received; they go to storage in the background. */
    readonly answer: {
      readonly batch_upload_id: string
      readonly status: 'accepted'
      readonly total_files: number
      readonly spool_seconds: number
      readonly files: readonly {
        readonly file_id: string
        readonly filename: string
        readonly size_bytes: number
        readonly estimated_duration_seconds: number
        readonly upload_status: 'pending' | 'uploading' | 'completed' | 'failed'
        readonly batch_upload_id: string
        readonly content_type: string
        /** RFC 3339, UTC */
        readonly created_at: string
        /** Storage key; only when completed. */
        readonly gcs_key?: string
        /** Why; only when failed. */
        readonly error?: string
      }[]
    }
  }
}
