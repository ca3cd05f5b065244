import type { FastifyInstance } from 'fastify'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Closing } from '../../src/main/closing.ts'
import { composeService } from '../../src/main/compose.ts'
import { readConfig } from '../../src/main/config.ts'
import { openGround } from '../../src/main/open-ground.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/platform/identity/api-keys.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { createLogger } from '../../src/platform/log.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLoudnessDetector } from '../support/loudness-detector.ts'
import { RealtimeClient } from '../support/realtime-client.ts'
import { ScriptedTranscriber, userText } from '../support/realtime-door.ts'
import { runLipik } from '../support/run-lipik.ts'
import { ScriptedModel } from '../support/scripted-model.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { ToneSynthesizer } from '../support/tone-synthesizer.ts'

let database: TestDatabase
let folder: TemporaryFolder
let app: FastifyInstance
let origin: string
let jwt: string
const closing = new Closing(createLogger({ level: 'silent' }))

beforeAll(async () => {
  database = await openTestDatabase()
  folder = await makeTemporaryFolder()
  const log = createLogger({ level: 'silent' })
  const config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: database.url, BASE_PATH: '/speech' })
  const ground = await openGround({ config, log, closing, ownsDatabase: true, onFatal: () => undefined })
  const transcriber = new ScriptedTranscriber()
  const speech = { transcriber, detector: createLoudnessDetector() }
  // The engines that a session asks; nobody here asks the others.
  const engines = { speech, speaking: { synthesizer: new ToneSynthesizer() }, thinking: new ScriptedModel() }
  const service = await composeService(ground, engines as unknown as Parameters<typeof composeService>[1])
  app = service.app
  closing.add('requests', () => app.close())
  closing.add('sessions', async () => service.door?.close())
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  jwt = (await service.identity.localIssuer?.mint({ user: 'asha', ttlSeconds: 60 })) ?? ''
})
afterAll(async () => {
  await closing.close()
  await database.close()
  await folder.remove()
})

const library = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${origin}/speech/v1`, maxRetries: 0 })
const post = (path: string, body: object, key = jwt) =>
  app.inject({
    method: 'POST',
    url: `/speech/v1/realtime/${path}`,
    headers: { authorization: `Bearer ${key}` },
    payload: body,
  })
const address = () => `${origin.replace('http', 'ws')}/speech/v1/realtime?model=lipik-realtime`
const withKey = (key: string) => new RealtimeClient(address(), [], { headers: { authorization: `Bearer ${key}` } })
const inBrowser = (key: string) => new RealtimeClient(address(), ['realtime', `openai-insecure-api-key.${key}`])

describe('who may begin a session', () => {
  it('a key, until it is revoked', async () => {
    const { id, key } = await createApiKey(database.db, 'asha' as UserId)
    expect(key).toMatch(/^lk_[\w-]{43}$/)
    const client = withKey(key)
    await client.next('session.created')
    client.send(userText('hello'), { type: 'response.create' })
    expect((await client.next('response.done')).response).toMatchObject({ status: 'completed' })
    await client.close()
    const [listed] = await listApiKeys(database.db)
    expect(listed).toMatchObject({
      id,
      userId: 'asha',
      hint: key.slice(-4),
      lastUsedAt: expect.any(Date),
      revokedAt: null,
    })
    expect([await revokeApiKey(database.db, id), await revokeApiKey(database.db, id)]).toEqual([true, false])
    expect((await inBrowser(key).closed).code).toBe(3000)
    expect((await post('client_secrets', {}, key)).statusCode).toBe(401)
  })

  it('a token of the issuer', async () => {
    const client = withKey(jwt)
    await client.next('session.created')
    await client.close()
  })

  it('a browser with the secret that the library made, in either form', async () => {
    const { key } = await createApiKey(database.db, 'asha' as UserId)
    const beta = await library(key).beta.realtime.sessions.create({ instructions: 'Beta.', voice: 'alloy' })
    const ga = await library(key).realtime.clientSecrets.create({ session: { type: 'realtime', instructions: 'GA.' } })
    const now = Date.now() / 1_000
    expect(beta).toMatchObject({
      instructions: 'Beta.',
      voice: 'alloy',
      client_secret: { value: expect.stringMatching(/^ek_/) },
    })
    expect(Math.abs(Number(beta.client_secret.expires_at) - now - 60)).toBeLessThan(20)
    expect(ga).toMatchObject({
      value: expect.stringMatching(/^ek_/),
      session: { type: 'realtime', instructions: 'GA.' },
    })
    expect(Math.abs(ga.expires_at - now - 600)).toBeLessThan(20)
    for (const [secret, instructions] of [
      [beta.client_secret.value, 'Beta.'],
      [ga.value, 'GA.'],
    ] as const) {
      const client = inBrowser(secret)
      expect((await client.next('session.created')).session).toMatchObject({ instructions })
      await client.close()
    }
    expect((await post('client_secrets', {}, ga.value)).statusCode).toBe(401)
  })

  it('nobody with a secret that has expired', async () => {
    const made = await post('client_secrets', { expires_after: { anchor: 'created_at', seconds: 10 } })
    const { value } = made.json()
    await database.db
      .updateTable('ephemeral_tokens')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect((await inBrowser(value).closed).code).toBe(3000)
  })

  it.each<[string, object, string, string]>([
    ['client_secrets', { expires_after: { seconds: 9 } }, 'integer_below_min_value', 'expires_after.seconds'],
    ['client_secrets', { session: { type: 'realtime', colour: 1 } }, 'unknown_parameter', 'session.colour'],
    ['client_secrets', { session: {} }, 'missing_required_parameter', 'session.type'],
    ['sessions', { voice: 'nobody' }, 'invalid_value', 'voice'],
    ['sessions', { model: 'other' }, 'model_not_found', 'model'],
    [
      'sessions',
      { client_secret: { expires_after: { seconds: 7_201 } } },
      'integer_above_max_value',
      'client_secret.expires_after.seconds',
    ],
  ])('%s refuses %j', async (path, body, code, param) => {
    const response = await post(path, body)
    expect([response.statusCode, response.json().error]).toMatchObject([
      400,
      { code, param, type: 'invalid_request_error' },
    ])
    expect(response.json()).toHaveProperty('detail')
  })

  it('nobody by plain HTTP', async () => {
    const response = await app.inject({ url: '/speech/v1/realtime' })
    expect([response.statusCode, response.headers.upgrade]).toEqual([426, 'websocket'])
  })
})

describe('lipik keys', { timeout: 120_000 }, () => {
  const run = async (...args: string[]) => {
    const lipik = runLipik(['keys', ...args], { DATA_DIR: folder.path, DATABASE_URL: database.url })
    return { code: await lipik.ended, stdout: lipik.stdout().trim(), stderr: lipik.stderr() }
  }

  it('makes a key that is shown once, lists it without its secret, and revokes it', async () => {
    const made = await run('create', '--user', 'meera')
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^lk_[\w-]{43}$/)])
    const { stdout } = await run('list', '--json')
    const listed = JSON.parse(stdout).find(({ userId }: { userId: string }) => userId === 'meera')
    expect(stdout).not.toContain(made.stdout)
    expect((await run('revoke', listed.id)).code).toBe(0)
    expect((await run('revoke', 'none')).code).toBe(1)
    expect((await withKey(made.stdout).closed).code).toBe(1006)
  })
})
