import { randomBytes } from 'node:crypto'

export type IdPrefix = 'sess' | 'conv' | 'event' | 'item' | 'resp' | 'call'

/** `item_…`: at most 32 letters of `[A-Za-z0-9_-]`, as clients expect of every id. */
export const newProtocolId = (prefix: IdPrefix): string => `${prefix}_${randomBytes(15).toString('base64url')}`

export const MAX_ID_LENGTH = 32
