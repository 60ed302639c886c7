import { defineConfig } from 'vitest/config'

/** Connectors on real stores, which have to be installed first: `npm run test:stores`, never part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/stores/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
})
