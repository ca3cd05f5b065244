import type { Browser, Page } from 'playwright-core'

const CATEGORIES = [
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  '__metadata',
]
/** What Chromium itself calls a long task: somebody who presses a key in it waits. */
const LONG_TASK_MS = 50

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** In microseconds: how long it took, and how long the processor worked for it. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export type PageTrace = {
  readonly tasks: number
  /** Processor time of the page's main thread, which a busy machine does not stretch. */
  readonly busyMs: number
  readonly longestTaskMs: number
  readonly longTasks: number
  readonly drawnFrames: number
  readonly droppedFrames: number
}

/** Records what Chromium does while the page works, as its own tools would, and reads the record. */
export async function traceOf(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<PageTrace> {
  await browser.startTracing(page, { categories: CATEGORIES })
  await work().catch(async (error) => {
    await browser.stopTracing()
    throw error
  })
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }
  return readTrace(traceEvents)
}

function readTrace(events: readonly TraceEvent[]): PageTrace {
  const { pid, tid } = busiestPageThread(events)
  const tasks = events.filter((each) => each.pid === pid && each.tid === tid && each.name.endsWith('RunTask'))
  const taskMs = tasks.map(({ tdur = 0 }) => tdur / 1000)
  const count = (name: string) => events.filter((each) => each.pid === pid && each.name === name).length
  return {
    tasks: tasks.length,
    busyMs: taskMs.reduce((sum, ms) => sum + ms, 0),
    longestTaskMs: Math.max(0, ...taskMs),
    longTasks: taskMs.filter((ms) => ms > LONG_TASK_MS).length,
    drawnFrames: count('DrawFrame'),
    droppedFrames: count('DroppedFrame'),
  }
}

/** Chromium keeps spare pages ready: the one that did something is ours. */
function busiestPageThread(events: readonly TraceEvent[]): { pid: number; tid: number } {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const workOf = ({ pid, tid }: TraceEvent) =>
    events.reduce((sum, each) => sum + (each.pid === pid && each.tid === tid ? (each.tdur ?? 0) : 0), 0)
  const [busiest] = mains.toSorted((a, b) => workOf(b) - workOf(a))
  if (!busiest) throw new Error('the trace names no page')
  return busiest
}
