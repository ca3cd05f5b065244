import { hashUser } from '../platform/identity/user-hash.ts'
import type { FileId, UploadBatchId, UserId } from '../platform/ids.ts'
import { safeName } from './file-name.ts'

/** Everything of a user lies under here. */
export const userPrefix = (user: UserId): string => `users/${hashUser(user)}/`

export type UploadedFile = { readonly batch: UploadBatchId; readonly file: FileId; readonly filename: string }

export const uploadKey = (user: UserId, { batch, file, filename }: UploadedFile): string =>
  `${userPrefix(user)}uploads/${batch}/${file}/${safeName(filename)}`
