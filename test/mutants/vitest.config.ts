import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests of the project on a database server that is there already: hundreds of runs share it. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/prove/**', 'test/stores/**', 'test/browser/**', 'node_modules/**'],
    globalSetup: ['test/mutants/provide-database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What a slip lets hang has been noticed.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
