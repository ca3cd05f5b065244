import { signal } from '@preact/signals'
import type { FileResult } from '../../client/src/index.ts'
import { lipik } from '../shared/session.ts'

const PER_PAGE = 50

/** The files of a batch, page by page as they come into sight. */
export class FilePages {
  readonly version = signal(0)
  readonly #rows = new Map<number, FileResult>()
  readonly #asked = new Set<number>()
  readonly #batchId: string

  constructor(batchId: string) {
    this.#batchId = batchId
  }

  row(index: number): FileResult | undefined {
    return this.#rows.get(index)
  }

  show(first: number, last: number): void {
    for (let page = Math.floor(first / PER_PAGE); page <= Math.floor(last / PER_PAGE); page++) void this.#read(page)
  }

  /** Reads again what was shown: the batch has moved. */
  async refresh(): Promise<void> {
    const pages = [...this.#asked]
    this.#asked.clear()
    await Promise.all((pages.length === 0 ? [0] : pages).map((page) => this.#read(page)))
  }

  async #read(page: number): Promise<void> {
    if (this.#asked.has(page)) return
    this.#asked.add(page)
    try {
      const { files } = await lipik.batches.resultsPage(this.#batchId, { page: page + 1, limit: PER_PAGE })
      for (const [at, file] of files.entries()) this.#rows.set(page * PER_PAGE + at, file)
    } catch {
      // The batch's own progress tells what is wrong; the page is asked for again when it comes into sight.
      this.#asked.delete(page)
    }
    this.version.value++
  }
}
