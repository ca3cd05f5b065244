import { Worker } from 'node:worker_threads'

/**
 * Native inference blocks the event loop of the engine process for seconds, and a hung kernel for ever; only another thread
 * can then notice that the service is gone or that memory runs away. Plain JavaScript in a string: a worker started from
 * TypeScript sources would load the whole loader again.
 */
const WATCH = `
const { workerData } = require('node:worker_threads')
setInterval(() => {
  const orphaned = process.ppid !== workerData.parentPid
  const overgrown = process.memoryUsage.rss() > workerData.maxRssBytes
  if (orphaned || overgrown) process.kill(process.pid, 'SIGKILL')
}, 1000)
`

export function watchParent(maxRssBytes: number): void {
  const options = { eval: true, execArgv: [], workerData: { parentPid: process.ppid, maxRssBytes } }
  new Worker(WATCH, options).unref()
}
