/* The package's face: what a program may import. Everything here runs in browsers as well. */
export type * from './api-models.ts'
export type { SubmitOptions } from './batches-api.ts'
export type { LipikOptions, TokenSource } from './connection.ts'
export { LipikApiError, LipikConnectionError } from './failures.ts'
export type { UploadOptions, WaitOptions } from './files-api.ts'
export { LipikClient, type TranscribeOptions } from './lipik-client.ts'
export type { ConversationItem, ItemDelta } from './realtime/conversation.ts'
export { Microphone, type MicrophoneOptions } from './realtime/microphone.ts'
export { MICROPHONE_WORKLET } from './realtime/microphone-worklet.ts'
export { levelOf, SAMPLE_RATE_HZ } from './realtime/pcm.ts'
export { type AnswerPlayer, playAnswers } from './realtime/play-answers.ts'
export type { Heard } from './realtime/playback-clock.ts'
export { Player } from './realtime/player.ts'
export type { EphemeralToken, EphemeralTokenOptions } from './realtime/realtime-api.ts'
export { RealtimeClient, RealtimeError, type RealtimeEvents, type RealtimeOptions } from './realtime/realtime-client.ts'
export type {
  ResponseConfig,
  Session,
  SessionConfig,
  ToolDefinition,
  TurnDetection,
} from './realtime/realtime-events.ts'
export type { FunctionCall, ToolImplementation } from './realtime/tool-calls.ts'
export type { FileProgress, UploadProgress } from './upload-progress.ts'
export type { UploadInput } from './upload-source.ts'
export { verifyWebhook, type WebhookCall, WebhookError, type WebhookEvent } from './verify-webhook.ts'
