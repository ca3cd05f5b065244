import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { encodeWav } from '../src/audio/wav.ts'
import { eventually } from '../test/support/eventually.ts'
import { runFilesServer } from '../test/support/run-files-server.ts'
import { runPrintingPort } from '../test/support/run-printing-port.ts'
import { openBenchDatabase } from './support/bench-database.ts'
import { compile } from './support/compile.ts'
import { type Bench, median, spread } from './support/figure.ts'

const MB = 1_000_000
const FILE_BYTES = 1024 ** 3
const ROUNDS = 3
const MEMORY_LIMIT_MB = 200
const FILES_SERVER = 'test/support/files-server.ts'
const COPY_SERVER = 'bench/support/copy-server.ts'
const NOISE = randomBytes(1024 * 1024)
const BOUNDARY = 'lipik-bench'

/** One file of 1 GiB, to the service in a process of its own and, in turn, to a bare socket-to-disk copy. */
export const bench: Bench = async (say) => {
  const filesServer = await compile(FILES_SERVER)
  const copyServer = await compile(COPY_SERVER)
  const database = await openBenchDatabase()
  const server = await runFilesServer(database.url, database.folder, filesServer)
  const copied = join(database.folder, 'copied')
  const copier = await runPrintingPort(copyServer, [copied])
  try {
    const [uploads, copies]: [number[], number[]] = [[], []]
    for (let round = 1; round <= ROUNDS; round++) {
      copies.push(await megabytesPerSecond(() => copy(copier.port)))
      await rm(copied)
      let id = ''
      uploads.push(await megabytesPerSecond(async () => (id = await upload(server.url))))
      say(`round ${round}: upload ${uploads.at(-1)?.toFixed(0)} MB/s, bare copy ${copies.at(-1)?.toFixed(0)} MB/s`)
      await removeWhenStored(server.url, id)
    }
    const peak = await peakMegabytes(server.pid)
    const ratios = uploads.map((speed, round) => speed / (copies[round] ?? 1))
    return [
      {
        name: 'upload of 1 GiB',
        value: median(uploads),
        unit: 'MB/s',
        baseline: 'a bare socket-to-disk copy',
        ratio: median(ratios),
        spread: spread(ratios),
      },
      {
        name: 'peak memory of the server',
        value: peak,
        unit: 'MB',
        baseline: `the ${MEMORY_LIMIT_MB} MB allowed`,
        ratio: peak / MEMORY_LIMIT_MB,
        spread: 0,
      },
    ]
  } finally {
    await copier.stop()
    await server.stop()
    await database.close()
  }
}

async function megabytesPerSecond(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return FILE_BYTES / MB / ((performance.now() - started) / 1000)
}

/** A wav whose header tells its true size; 1 GiB of zeros in memory would be the bench's own, so only the header is made. */
function wavHeader(): Buffer {
  const header = Buffer.from(encodeWav(new Float32Array(0)))
  header.writeUInt32LE(FILE_BYTES - 8, 4)
  header.writeUInt32LE(FILE_BYTES - 44, 40)
  return header
}

/** To an HTTP server a half-closed connection is a client that left, so the end is sent only where it is the message. */
async function send(port: number, before: Buffer, after: Buffer | 'end'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const header = wavHeader()
  socket.write(before)
  socket.write(header)
  for (let left = FILE_BYTES - header.length; left > 0; left -= NOISE.length) {
    if (!socket.write(NOISE.subarray(0, Math.min(left, NOISE.length)))) await once(socket, 'drain')
  }
  if (after === 'end') socket.end()
  else socket.write(after)
  await once(socket, 'end')
  socket.end()
  return answer
}

async function copy(port: number): Promise<void> {
  if ((await send(port, Buffer.alloc(0), 'end')) !== 'done') throw new Error('the bare copy broke off')
}

async function upload(url: string): Promise<string> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="long.wav"\r\n\r\n`
  const tail = `\r\n--${BOUNDARY}--\r\n`
  const request = [
    'POST /files/upload HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: close',
    'Authorization: Bearer bench',
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${head.length + FILE_BYTES + tail.length}`,
  ]
  const answer = await send(
    Number(new URL(url).port),
    Buffer.from(`${request.join('\r\n')}\r\n\r\n${head}`),
    Buffer.from(tail),
  )
  if (!answer.startsWith('HTTP/1.1 202')) throw new Error(`the upload was answered ${answer.slice(0, 200)}`)
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).files[0].file_id
}

/** The next round must not share the disk with the background upload of this one. */
async function removeWhenStored(url: string, id: string): Promise<void> {
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }
  const list = async () =>
    (await (await fetch(`${url}/files`, { headers })).json()) as { files: { upload_status: string }[] }
  await eventually(list, ({ files }) => files.every((file) => file.upload_status === 'completed'), 120_000)
  await fetch(`${url}/files`, { method: 'DELETE', headers, body: JSON.stringify({ file_ids: [id] }) })
}

async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MB
}
