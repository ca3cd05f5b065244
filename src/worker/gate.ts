import type { Outcome } from '../speech/ports.ts'

export type Gate<In, Out> = {
  /** Resolves with this item's own answer; a bad neighbour in the same batch is none of its business. */
  pass(item: In): Promise<Out>
}

export type GateOptions<In, Out> = {
  readonly size: number
  /** The first of a batch waits at most this long for others. */
  readonly waitMs: number
  /** Answers in the order of the items. */
  run(items: readonly In[]): Promise<Outcome<Out>[]>
}

type Waiting<In, Out> = { readonly item: In; settle(outcome: Outcome<Out>): void }

/** Collects what comes one by one into batches: an engine does eight clips together in less than eight times the time of one. */
export function createGate<In, Out>({ size, waitMs, run }: GateOptions<In, Out>): Gate<In, Out> {
  let open: Waiting<In, Out>[] = []
  let timer: NodeJS.Timeout | undefined

  const leave = (): void => {
    clearTimeout(timer)
    timer = undefined
    const batch = open
    open = []
    void runBatch(run, batch)
  }

  return {
    async pass(item) {
      const outcome = await new Promise<Outcome<Out>>((settle) => {
        open.push({ item, settle })
        if (open.length >= size) leave()
        else timer ??= setTimeout(leave, waitMs)
      })
      if (outcome.ok) return outcome.value
      throw outcome.error
    },
  }
}

async function runBatch<In, Out>(run: GateOptions<In, Out>['run'], batch: readonly Waiting<In, Out>[]): Promise<void> {
  const outcomes = await run(batch.map(({ item }) => item)).catch((error: unknown) =>
    batch.map((): Outcome<Out> => ({ ok: false, error: error instanceof Error ? error : new Error(String(error)) })),
  )
  for (const [at, { settle }] of batch.entries()) {
    settle(outcomes[at] ?? { ok: false, error: new Error('the batch gave fewer answers than it was asked for') })
  }
}
