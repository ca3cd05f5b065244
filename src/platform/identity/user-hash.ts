import { createHash } from 'node:crypto'
import type { UserId } from '../ids.ts'

/** The user's name in storage keys: a subject may be an e-mail address, and keys end up in many logs. */
export const hashUser = (user: UserId): string => createHash('sha256').update(user).digest('base64url')
