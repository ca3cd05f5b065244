import { createHash } from 'node:crypto'
import type { UserId } from '../ids.ts'

/**
 * The user's name in storage keys: the same on every machine, and not the subject itself, which is often an address.
 * Hexadecimal, because a disk may not tell capital letters from small ones.
 */
export const hashUser = (user: UserId): string => createHash('sha256').update(user).digest('hex').slice(0, 32)
