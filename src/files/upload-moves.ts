import type { Database } from '../platform/database/schema.ts'

export type UploadStatus = Database['files']['upload_status']

/**
 * The life of an uploaded file:
 *
 *     pending ──claim──► uploading ──store──► completed
 *        ▲                  │ │
 *        └─retry, release───┘ └──giveUp──► failed ◄──abandon── pending
 *
 * `retry` is a failed attempt with tries left. `release` gives back a claim whose holder stopped or died: no attempt was
 * judged, so none is counted. `abandon` is for a file whose spool folder has been away for a day.
 */
export const UPLOAD_MOVES = {
  claim: { from: 'pending', to: 'uploading' },
  store: { from: 'uploading', to: 'completed' },
  retry: { from: 'uploading', to: 'pending' },
  release: { from: 'uploading', to: 'pending' },
  giveUp: { from: 'uploading', to: 'failed' },
  abandon: { from: 'pending', to: 'failed' },
} as const satisfies Record<string, { from: UploadStatus; to: UploadStatus }>
