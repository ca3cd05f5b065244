import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database-setup.ts', 'test/support/models-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Real databases, engines and sockets on a two-core machine: more workers than cores only make the clocks lie.
    maxWorkers: 2,
  },
})
