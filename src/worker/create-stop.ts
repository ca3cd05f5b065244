import { setMaxListeners } from 'node:events'

/** A job listens itself, and so do its storage, its engine and what decodes its sound. */
const LISTENERS_PER_JOB = 4

/** Tells all jobs of a worker at once that it stops. More listeners than its jobs can have are a leak, and Node.js says so. */
export function createStop(slots: number): AbortController {
  const stop = new AbortController()
  setMaxListeners(LISTENERS_PER_JOB * slots + 1, stop.signal)
  return stop
}
