import { v5, v7 } from 'uuid'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** The subject of a token: whatever the issuer says, never put into paths or logs as it is. */
export type UserId = Branded<'UserId'>
export type FileId = Branded<'FileId'>
export type UploadBatchId = Branded<'UploadBatchId'>
export type BatchId = Branded<'BatchId'>
export type JobId = Branded<'JobId'>
export type ApiKeyId = Branded<'ApiKeyId'>
export type WorkerId = Branded<'WorkerId'>

type NewId = FileId | UploadBatchId | BatchId | JobId | ApiKeyId | WorkerId

/** UUIDv7: ids made later sort later, within one process strictly, so an index on the id is an index on time. */
export const newId = <Id extends NewId>(): Id => v7() as Id // a fresh UUID becomes an id by being called one

const URL_SOURCES = '6f2d3f0c-6f0e-5d8b-9a55-2f8f0b6c1f4e'

/** The same user naming the same URL again means the same file. The length keeps (user, url) pairs apart. */
export const urlFileId = (user: UserId, url: string): FileId =>
  v5(`${user.length}:${user}${url}`, URL_SOURCES) as FileId

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** PostgreSQL refuses a malformed uuid with an error; a client's id is asked here first and is simply unknown. */
export const isUuid = (text: string): boolean => UUID.test(text)
