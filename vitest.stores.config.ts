import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Connectors on real stores, never part of `npm test`: those that the environment names, else those of the start kits. */
const given = Object.keys(process.env).flatMap((name) => /^STORE_(\w+)_URL$/.exec(name)?.[1]?.toLowerCase() ?? [])
/** Some of them may be described: those of the library. */
const library = readdirSync(join(import.meta.dirname, 'docs/descriptions')).map((file) =>
  file.replace('.json', '').replaceAll('-', '_'),
)
const [described, known] = [
  given.filter((type) => library.includes(type)),
  given.filter((type) => !library.includes(type)),
]

export default defineConfig({
  test: {
    include: [
      ...(known.length > 0 ? ['test/connectors.test.ts', 'test/stores/given/*.test.ts'] : []),
      ...(described.length > 0 ? ['test/stores/described/*.test.ts'] : []),
      ...(given.length === 0 ? ['test/stores/*.test.ts'] : []),
    ],
    env: { CONFORMANCE: 'stores' },
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
})
