import { checkGraphs } from './check-graphs.ts'
import { type PreparationOrder, prepareGraphs } from './prepare-graphs.ts'

/** What the child says: how far it is, that it is done, or why it failed. */
export type FromPreparation = { readonly progress: number } | { readonly done: true } | { readonly failed: string }

const say = (message: FromPreparation): void => void process.send?.(message)

// Preparing takes seconds of arithmetic and runs native code: in a process of its own it blocks and endangers nothing.
process.once('message', async (order: PreparationOrder) => {
  try {
    if (order.part === 'check') await checkGraphs(order.modelDir, order.target)
    else await prepareGraphs(order, (progress) => say({ progress }))
    say({ done: true })
  } catch (error) {
    say({ failed: error instanceof Error ? error.message : String(error) })
  }
  process.disconnect()
})
process.once('disconnect', () => process.exit())
