import { once } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { createStop } from '../../src/worker/create-stop.ts'

const warned = vi.fn()
afterEach(() => process.off('warning', warned))

it('lets every job of a worker listen for its stop, and tells when more do', async () => {
  process.on('warning', warned)
  const { signal } = createStop(8)
  for (let count = 0; count < 4 * 8 + 1; count++) signal.addEventListener('abort', () => undefined)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warned).not.toHaveBeenCalled()
  const warning = once(process, 'warning')
  signal.addEventListener('abort', () => undefined)
  expect(await warning).toMatchObject([{ name: 'MaxListenersExceededWarning' }])
})
