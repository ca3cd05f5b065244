import type { ErrorCode } from '../../platform/errors.ts'

/** What crosses the channel between the service and one engine process. Bodies are structured clones: typed arrays travel as they are. */
export type ToEngine =
  | { readonly type: 'load'; readonly settings: unknown; readonly maxRssBytes: number }
  | { readonly type: 'request'; readonly id: number; readonly body: unknown; readonly isLive: boolean }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'ping'; readonly id: number }

export type FromEngine =
  | { readonly type: 'loaded' }
  | { readonly type: 'load_failed'; readonly message: string }
  | { readonly type: 'answer'; readonly id: number; readonly body: unknown; readonly rssBytes: number }
  | { readonly type: 'refused'; readonly id: number; readonly code: ErrorCode; readonly message: string }
  | { readonly type: 'pong'; readonly id: number }
