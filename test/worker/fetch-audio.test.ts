import { createServer, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFetchAudio, type FetchSettings } from '../../src/worker/fetch-audio.ts'
import { isPublicAddress } from '../../src/worker/public-address.ts'

const never = new AbortController().signal

/** A name server of our own: what a name leads to, each time it is asked. */
const names =
  (answers: Readonly<Record<string, string[]>>): LookupFunction =>
  (hostname, options, callback) => {
    const [address = '', ...later] = answers[hostname] ?? []
    if (answers[hostname] && later.length > 0) answers[hostname].splice(0, 1)
    const family = address.includes(':') ? 6 : 4
    if (address === '') callback(new Error(`no such name: ${hostname}`), '')
    else if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }

describe('an address given as a source', () => {
  let inside: Server
  let outside: Server
  let insidePort: number
  let outsidePort: number
  let reached: string[] = []
  let redirectTo = ''

  beforeAll(async () => {
    inside = createServer((request, response) => {
      reached.push(request.url ?? '')
      response.end('secret')
    })
    outside = createServer((request, response) => {
      if (request.url === '/audio') response.end('sound')
      else if (request.url === '/missing') response.writeHead(404).end()
      else if (request.url === '/down') response.writeHead(503).end()
      else if (request.url === '/broken') response.write('so', () => response.destroy())
      else response.writeHead(302, { location: redirectTo }).end()
    })
    await new Promise<void>((ready) => inside.listen(0, '::', ready))
    // Stands for the internet: another loopback address, which the tests' rule calls public.
    await new Promise<void>((ready) => outside.listen(0, '127.0.0.2', ready))
    insidePort = (inside.address() as AddressInfo).port
    outsidePort = (outside.address() as AddressInfo).port
  })
  afterAll(() => {
    inside.close()
    outside.close()
  })
  beforeEach(() => {
    reached = []
  })

  const settings = (changes: Partial<FetchSettings> = {}): FetchSettings => ({
    allowPrivate: false,
    maxBytes: 1000,
    timeoutSeconds: 5,
    ports: new Set(['', String(insidePort), String(outsidePort)]),
    isPublic: (address) => address === '127.0.0.2' || isPublicAddress(address),
    ...changes,
  })
  const read = async (url: string, changes: Partial<FetchSettings> = {}): Promise<string> => {
    const pieces: Uint8Array[] = []
    for await (const piece of await createFetchAudio(settings(changes))(url, never)) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  }

  const HOSTS = [
    ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '0.0.0.0', '0', '2130706433', '0x7f000001', '0x7f.0.0.1'],
    ...[
      '0177.0.0.1',
      '017700000001',
      '127.0.0.1.',
      '①②⑦.⓪.⓪.①',
      '%31%32%37.0.0.1',
      'localhost',
      'LOCALHOST',
      'localhost.',
    ],
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::7f00:1]'],
    ...[
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      '[fc00::1]',
    ],
    ...['[fd12:3456::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '10.0.0.1', '10.255.255.255', '172.16.0.1'],
    ...[
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '169.254.170.2',
      '100.100.100.200',
      '100.64.0.1',
      '192.0.0.1',
    ],
    ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ]
  it.each(HOSTS)('is refused at %s', async (host) => {
    await expect(read(`http://${host}:${insidePort}/`)).rejects.toMatchObject({ code: 'url_refused' })
    expect(reached).toEqual([])
  })

  const OTHERS = ['file:///etc/passwd', 'ftp://example.com/a', 'gopher://example.com/', 'data:audio/wav;base64,AAAA']
  it.each([
    ...OTHERS,
    'javascript:1',
    'ws://example.com/',
    'jar:http://example.com!/',
    '//example.com/a',
    'nonsense',
    '',
  ])('is refused as %s', async (url) => {
    await expect(read(url)).rejects.toMatchObject({ code: 'url_refused' })
  })

  it('is refused with credentials, which would otherwise travel', async () => {
    await expect(read('http://asha:secret@example.com/')).rejects.toMatchObject({ code: 'url_refused' })
    await expect(read('http://asha@example.com/')).rejects.toMatchObject({ code: 'url_refused' })
  })

  it.each([22, 25, 3306, 5432, 6379, 9200])('is refused at port %s', async (port) => {
    const publicly = createFetchAudio({ allowPrivate: false, maxBytes: 1, timeoutSeconds: 1 })
    await expect(publicly(`http://example.com:${port}/`, never)).rejects.toMatchObject({ code: 'url_refused' })
  })

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    'fd00::1',
  ])('is refused when its name leads to %s', async (address) => {
    const lookup = names({ 'metadata.google.internal': [address] })
    const url = `http://metadata.google.internal:${insidePort}/`
    await expect(read(url, { lookup })).rejects.toMatchObject({ code: 'url_refused' })
    expect(reached).toEqual([])
  })

  it('is fetched where it is public', async () => {
    expect(await read(`http://127.0.0.2:${outsidePort}/audio`)).toBe('sound')
    expect(
      await read(`http://out.example:${outsidePort}/audio`, { lookup: names({ 'out.example': ['127.0.0.2'] }) }),
    ).toBe('sound')
  })

  it.each([
    'http://127.0.0.1',
    'http://[::1]',
    'http://2130706433',
    'http://localhost',
    '//127.0.0.1',
    'file:///etc/passwd',
  ])('is refused when it redirects to %s', async (target) => {
    redirectTo = target.startsWith('file') ? target : `${target}:${insidePort}/`
    await expect(read(`http://127.0.0.2:${outsidePort}/hop`)).rejects.toMatchObject({ code: 'url_refused' })
    expect(reached).toEqual([])
  })

  it('is refused when its name changes between two hops', async () => {
    const lookup = names({ 'rebind.example': ['127.0.0.2', '127.0.0.1'] })
    redirectTo = `http://rebind.example:${insidePort}/`
    await expect(read(`http://rebind.example:${outsidePort}/hop`, { lookup })).rejects.toMatchObject({
      code: 'url_refused',
    })
    expect(reached).toEqual([])
  })

  it('is followed through five redirects and no further', async () => {
    redirectTo = `http://127.0.0.2:${outsidePort}/again`
    await expect(read(redirectTo)).rejects.toMatchObject({ code: 'url_refused', message: 'more than 5 redirects' })
  })

  it('fails for good on a refusal, and may be tried again on an outage', async () => {
    const at = (path: string) => read(`http://127.0.0.2:${outsidePort}/${path}`)
    await expect(at('missing')).rejects.toMatchObject({ code: 'url_failed', retryable: false })
    await expect(at('down')).rejects.toMatchObject({ code: 'url_unreachable', retryable: true })
    await expect(at('broken')).rejects.toMatchObject({ code: 'url_unreachable', retryable: true })
    await expect(read('http://127.0.0.2:1/', { ports: new Set(['1']) })).rejects.toMatchObject({
      code: 'url_unreachable',
    })
  })

  it('must not be larger than an upload', async () => {
    const url = `http://127.0.0.2:${outsidePort}/audio`
    await expect(read(url, { maxBytes: 3 })).rejects.toMatchObject({ code: 'too_large' })
  })

  it('may be private where that is allowed', async () => {
    expect(await read(`http://127.0.0.1:${insidePort}/`, { allowPrivate: true })).toBe('secret')
  })
})
