import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderConfiguration } from '../../scripts/render-configuration.ts'
import { ConfigError, type Environment, readConfig } from '../../src/main/config.ts'

const faultsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

describe('settings', () => {
  it('need nothing: every one has a default', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      BASE_PATH: '',
      DATA_DIR: resolve('data'),
      APP_ENV: 'production',
      DATABASE_URL: undefined,
      MAX_FILE_BYTES: 2 * 1024 ** 3,
      MAX_UPLOAD_BYTES: 20 * 1024 ** 3,
      CHUNK_RETRY_INTERVALS: [5, 15, 45],
      SEPARATE_RETRY_QUEUES: false,
      CHUNK_MAX_RETRIES_SEPARATE: 3,
      CHUNK_RETRY_INTERVALS_SEPARATE: [30, 60, 120],
      SAVE_AUDIO_DATA: true,
      ASR_LANGUAGES: ['hi', 'en'],
      PAUSE_TAG_SECONDS: 1.5,
    })
  })

  it('are read from the environment', () => {
    const env = {
      PORT: '0',
      BASE_PATH: '/a/b-c',
      DATABASE_URL: 'postgresql://u:p@h:5432/n',
      STORAGE_URL: 's3://bucket/prefix',
      CHUNK_RETRY_INTERVALS: '1, 2,3',
      QUOTA_ENABLED: '1',
      ASR_LANGUAGES: 'en, ta',
      RETENTION_DAYS: '7',
    }
    expect(readConfig(env)).toMatchObject({
      ...env,
      PORT: 0,
      CHUNK_RETRY_INTERVALS: [1, 2, 3],
      QUOTA_ENABLED: true,
      ASR_LANGUAGES: ['en', 'ta'],
      RETENTION_DAYS: 7,
    })
  })

  it('count as unset when empty', () => expect(readConfig({ PORT: '', DATABASE_URL: ' ' }).PORT).toBe(8080))

  it('name every fault at once', () => {
    const faults = faultsOf({ PORT: 'abc', APP_ENV: 'staging', STORAGE_URL: 'ftp://x', CHUNK_MAX_RETRIES: '3' })
    expect(faults).toEqual([
      'PORT: must be a whole number, 0 to 65535, not "abc"',
      'APP_ENV: must be one of `production`, `development`, not "staging"',
      expect.stringContaining('STORAGE_URL: '),
    ])
  })

  it.each<[string, string]>([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '0x50'],
    ['PORT', '8080.5'],
    ['BASE_PATH', 'speech'],
    ['BASE_PATH', '/speech/'],
    ['BASE_PATH', '/a?b'],
    ['DATABASE_URL', 'mysql://h/n'],
    ['DATABASE_URL', 'not an address'],
    ['AUTH_JWKS_URL', 'file:///keys.json'],
    ['MAX_FILE_BYTES', '1e9'],
    ['MAX_FILE_BYTES', '99999999999999999999'],
    ['CHUNK_RETRY_INTERVALS', '5,,45'],
    ['CHUNK_RETRY_INTERVALS', '-5'],
    ['QUOTA_ENABLED', 'yes'],
    ['ASR_LANGUAGES', 'hi,'],
    ['ASR_LANGUAGES', 'Hindi'],
    ['PAUSE_TAG_SECONDS', 'NaN'],
    ['PAUSE_TAG_SECONDS', '0'],
    ['WORKER_MODE', 'both'],
  ])('refuse %s=%s', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
  })

  it.each<[string, Environment]>([
    ['AUTH_JWKS_URL, AUTH_JWKS_FILE', { AUTH_JWKS_URL: 'https://i/jwks', AUTH_JWKS_FILE: 'k.json' }],
    ['S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY', { S3_ACCESS_KEY_ID: 'a' }],
    ['LLM_MODEL', { LLM_BASE_URL: 'http://h/v1' }],
    ['MAX_FILE_BYTES', { MAX_UPLOAD_BYTES: '1000' }],
  ])('do not contradict each other: %s', (names, env) => {
    expect(faultsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${names}: `))])
  })

  it('stand on the page as the schema has them (npm run docs)', () => {
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
    expect(page).toBe(renderConfiguration())
  })
})
