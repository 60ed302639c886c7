import { defineConfig } from 'vitest/config'

/** Connectors on real stores, never part of `npm test`: those that the environment names, else those of the start kits. */
const given = Object.keys(process.env).some((name) => /^STORE_\w+_URL$/.test(name))

export default defineConfig({
  test: {
    include: given ? ['test/connectors.test.ts', 'test/stores/given/*.test.ts'] : ['test/stores/*.test.ts'],
    env: { CONFORMANCE: 'stores' },
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
})
