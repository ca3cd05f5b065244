import { type BenchPipeline, openBenchPipeline, USER } from './support/bench-pipeline.ts'
import { type Bench, type Figure, median, spread } from './support/figure.ts'

const FEW = 100
const MANY = Number(process.env.BENCH_FILES ?? 10_000)
const CHUNKS = 3
const LIMIT = 50
const CALLS = 30
const REPEATS = 5

/** What the pipeline itself costs a chunk, how that grows with the batch, and how reading grows with it. */
export const bench: Bench = async (say) => {
  const pipeline = await openBenchPipeline()
  try {
    await pipeline.run(FEW)
    const small = [await pipeline.run(FEW), await pipeline.run(FEW), await pipeline.run(FEW)]
    const perChunk = small.map(({ seconds }) => (seconds * 1000) / (FEW * CHUNKS))
    const memory = watchMemory()
    const large = await pipeline.run(MANY)
    const { firstMb, lastMb } = memory.stop()
    const cost = (large.seconds * 1000) / (MANY * CHUNKS)
    say(`${MANY} files of ${CHUNKS} chunks in ${large.seconds.toFixed(1)} s`)
    return [
      figure(`a chunk through the pipeline, ${MANY} files`, [cost], 'ms', `the same, ${FEW} files`, perChunk),
      figure(`memory at the end of ${MANY} files`, [lastMb], 'MB', 'memory after its first tenth', [firstMb]),
      ...(await readingFigures(pipeline, small[0]?.batchId ?? '', large.batchId)),
    ]
  } finally {
    await pipeline.close()
  }
}

async function readingFigures(pipeline: BenchPipeline, small: string, large: string): Promise<Figure[]> {
  const { batches } = pipeline
  const page = (id: string, number: number) => async () => {
    const batch = await batches.find(USER, id)
    if (!batch) throw new Error('the batch is gone')
    const found = await batches.files(
      batch,
      { page: number, limit: LIMIT, status: undefined },
      { chunks: false, speech: false },
    )
    if (found.items.length !== LIMIT) throw new Error('a page is not full')
  }
  const smallPage = await time(page(small, 1))
  const baseline = `page 1 of ${FEW} files`
  return [
    figure(
      `status of ${MANY} files`,
      await time(() => batches.progress(USER, large)),
      'ms',
      `status of ${FEW} files`,
      await time(() => batches.progress(USER, small)),
    ),
    figure(`page 1 of ${MANY} files`, await time(page(large, 1)), 'ms', baseline, smallPage),
    figure(`last page of ${MANY} files`, await time(page(large, MANY / LIMIT)), 'ms', baseline, smallPage),
  ]
}

function figure(
  name: string,
  values: readonly number[],
  unit: string,
  baseline: string,
  against: readonly number[],
): Figure {
  const value = median(values)
  return {
    name,
    value,
    unit,
    baseline,
    ratio: value / median(against),
    spread: spread(values.length > 1 ? values : against),
  }
}

async function time(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const began = performance.now()
    for (let n = 0; n < CALLS; n++) await call()
    times.push((performance.now() - began) / CALLS)
  }
  return times
}

/** Medians of the second and the last tenth of the time: single peaks are the collector's business. */
function watchMemory() {
  const seen: number[] = []
  const timer = setInterval(() => seen.push(process.memoryUsage().rss / 1e6), 200)
  return {
    stop() {
      clearInterval(timer)
      const tenth = Math.max(1, Math.floor(seen.length / 10))
      return { firstMb: median(seen.slice(tenth, 2 * tenth)), lastMb: median(seen.slice(-tenth)) }
    },
  }
}
