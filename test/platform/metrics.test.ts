import { describe, expect, it } from 'vitest'
import { createMetrics, observeProcess } from '../../src/platform/metrics.ts'

describe('metrics', () => {
  it('of two services do not mix', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.jobs.inc({ kind: 'chunk', outcome: 'completed' })
    expect(await one.registry.metrics()).toContain('lipik_jobs_total{kind="chunk",outcome="completed"} 1')
    expect(await other.registry.metrics()).not.toContain('outcome="completed"')
  })

  it('tell about the process when asked to', async () => {
    const { registry } = createMetrics()
    observeProcess(registry)
    expect(await registry.metrics()).toContain('process_resident_memory_bytes')
  })
})
