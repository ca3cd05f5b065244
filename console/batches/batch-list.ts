import { signal } from '@preact/signals'
import type { BatchProgress, ListBatchesQuery, ListedBatch } from '../../client/src/index.ts'
import { explain, lipik } from '../shared/session.ts'

export type Filter = Pick<ListBatchesQuery, 'status' | 'search'>

const PER_PAGE = 100
/** Browsers open six connections to a server; two are left for everything else. */
const MOST_STREAMS = 4

/** A user's batches, page by page as they come into sight, those at work followed live. */
export class BatchList {
  readonly total = signal<number | undefined>(undefined)
  readonly problem = signal('')
  /** Grows with every change of any row. */
  readonly version = signal(0)
  readonly #rows = new Map<number, ListedBatch>()
  readonly #asked = new Set<number>()
  readonly #streams = new Map<string, AbortController>()
  readonly #filter: Filter
  #asOf: string | undefined

  constructor(filter: Filter) {
    this.#filter = filter
  }

  row(index: number): ListedBatch | undefined {
    return this.#rows.get(index)
  }

  /** Reads what is missing of these rows, and follows those of them that are at work. */
  show(first: number, last: number): void {
    for (let page = Math.floor(first / PER_PAGE); page <= Math.floor(last / PER_PAGE); page++) void this.#read(page)
    const visible = Array.from({ length: last - first + 1 }, (_, at) => this.#rows.get(first + at))
    const unfinished = visible.filter((row) => row?.finished_at === null).map((row) => row?.batch_id ?? '')
    const wanted = new Set(unfinished.slice(0, MOST_STREAMS))
    for (const [id, stream] of this.#streams) if (!wanted.has(id)) stream.abort()
    for (const id of wanted) if (!this.#streams.has(id)) void this.#follow(id)
  }

  /** From the beginning: something was added or deleted. What is shown stays until the answer is there. */
  async reload(): Promise<void> {
    this.#asOf = undefined
    this.#asked.clear()
    await this.#read(0)
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.abort()
  }

  async #read(page: number): Promise<void> {
    if (this.#asked.has(page)) return
    this.#asked.add(page)
    const as_of = this.#asOf
    const query = { ...this.#filter, page: page + 1, limit: PER_PAGE, ...(as_of === undefined ? {} : { as_of }) }
    try {
      const found = await lipik.batches.listPage(query)
      if (as_of === undefined && page === 0) this.#rows.clear()
      this.#asOf ??= found.as_of
      for (const [at, batch] of found.batches.entries()) this.#rows.set(page * PER_PAGE + at, batch)
      this.total.value = found.total_batches
      this.problem.value = ''
    } catch (error) {
      this.#asked.delete(page)
      this.problem.value = explain(error)
    }
    this.version.value++
  }

  async #follow(id: string): Promise<void> {
    const stopping = new AbortController()
    this.#streams.set(id, stopping)
    try {
      for await (const progress of lipik.batches.events(id, { signal: stopping.signal })) this.#update(progress)
    } catch {
      // Stopped, or gone: the list says so when it is read again.
    } finally {
      this.#streams.delete(id)
    }
  }

  #update(progress: BatchProgress): void {
    for (const [index, row] of this.#rows)
      if (row.batch_id === progress.batch_id) this.#rows.set(index, { ...row, ...progress })
    this.version.value++
  }
}
