import { expect, test } from 'vitest'
import { proofs } from '../prove/index.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts'

/**
 * The long proofs with small figures, so that they stay alive; `npm run prove` runs them at their full ones. Those that
 * kill, stop and wait are not among them: a heartbeat of ten seconds cannot be hurried, and what they promise is a
 * matter of time, which a test run beside others cannot judge.
 */
const takesItsTime = new Set([
  'alerts',
  'citus-node-away',
  'database-restart',
  'healing',
  'hostile-shops',
  'sync-kills',
  'sync-database-kills',
  'half-open',
  'stale-worker',
  'one-refresh',
  'one-effect',
  'one-stock',
  'fairness',
  'follower',
  'ebay-one-quota',
  'job-start-delay',
  'inbound-order',
  'inbound-kills',
  'webhook-kills',
])
const quick = proofs.filter(({ name }) => !takesItsTime.has(name))

test.each(quick.map((proof) => [proof.name, proof] as const))('%s', { timeout: 300_000 }, async (_, proof) => {
  const made: { drop(): Promise<void> }[] = []
  const outcome = await proof.run('quick', {
    progress: () => undefined,
    database: async (state) => {
      const database = await (state === 'migrated' ? createTestDatabase() : createEmptyDatabase())
      made.push(database)
      return database.url
    },
  })
  expect(outcome).toEqual({ measured: expect.any(String), pass: true })
  await Promise.all(made.map((database) => database.drop()))
})
