import { createWriteStream } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { argv } from 'node:process'
import { pipeline } from 'node:stream/promises'

/** The baseline: every byte of a connection goes to a file, and nothing else happens. `copy-server.ts FILE` prints its port. */
const [, , path = ''] = argv
const server = createServer({ allowHalfOpen: true }, async (socket) => {
  await pipeline(socket, createWriteStream(path), { end: true })
  socket.end('done')
})
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server always has an address and port.
  console.log((server.address() as AddressInfo).port)
})
process.stdin.resume().on('end', () => server.close())
