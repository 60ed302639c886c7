import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** For tests that need nothing but the code that they are about: no database, no page that has to be built. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: process.env['MUTANTS_TESTS']?.split(',') ?? ['src/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
  },
})
