import { hashUser } from '../platform/identity/user-hash.ts'
import type { UserId } from '../platform/ids.ts'

export type FileJobRef = { readonly userId: string; readonly batchId: string; readonly fileJobId: string }

/** Everything stored for one file of one batch lies under one prefix, so that it can be deleted without a list of it. */
export const jobPrefix = ({ userId, batchId, fileJobId }: FileJobRef): string =>
  `${batchPrefix(userId, batchId)}${fileJobId}/`

const batchPrefix = (userId: string, batchId: string): string =>
  `users/${hashUser(userId as UserId)}/batches/${batchId}/` // read back from a table that only ever held user ids

export const chunkAudioKey = (file: FileJobRef, chunkIndex: number): string =>
  `${jobPrefix(file)}${name(chunkIndex)}.wav`

/** What was sent to the engine and came back, beside the audio it was about. */
export const chunkRecordKey = (file: FileJobRef, chunkIndex: number): string =>
  `${jobPrefix(file)}${name(chunkIndex)}.json`

const name = (chunkIndex: number): string => String(chunkIndex).padStart(6, '0')
