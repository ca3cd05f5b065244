import { createHash } from 'node:crypto'
import type { FileId, UploadBatchId, UserId } from '../platform/ids.ts'
import { safeName } from './file-name.ts'

/** Everything of a user lies under here. A hash: a subject may be an e-mail address, and keys end up in many logs. */
export const userPrefix = (user: UserId): string => `users/${createHash('sha256').update(user).digest('base64url')}/`

export type UploadedFile = { readonly batch: UploadBatchId; readonly file: FileId; readonly filename: string }

export const uploadKey = (user: UserId, { batch, file, filename }: UploadedFile): string =>
  `${userPrefix(user)}uploads/${batch}/${file}/${safeName(filename)}`
