import { expect, test } from 'vitest'
import { proofs } from '../../prove/index.ts'
import { createEmptyDatabase, createStartedDatabase } from '../../support/database.ts'

/**
 * The long proofs with small figures, so that they stay alive; `npm run prove` runs them at their full ones. Those that
 * kill, stop and wait are not among them: a heartbeat of ten seconds cannot be hurried, and what they promise is a
 * matter of time, which a test run beside others cannot judge.
 */
const takesItsTime = [
  'alerts',
  'citus-node-away',
  'database-restart',
  'failover',
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
  'growth',
  'ebay-one-quota',
  'job-start-delay',
  'point-in-time',
  'inbound-order',
  'inbound-kills',
  'webhook-kills',
]

/** A file for each, so that none is still at it when all others have ended. Whatever is in no list is `others`. */
const lists = {
  processes: ['sigterm', 'migrate-together', 'refresh-race', 'rate-exact', 'revocation', 'floods', 'key-rotation'],
  shops: ['rolling-upgrade', 'restore', 'second-sync', 'many-integrations', 'amazon-three-days', 'schedules'],
}

export function proveQuickly(which: keyof typeof lists | 'others'): void {
  const listed = new Set([...takesItsTime, ...Object.values(lists).flat()])
  const chosen = proofs.filter(({ name }) => (which === 'others' ? !listed.has(name) : lists[which].includes(name)))

  test.each(chosen.map((proof) => [proof.name, proof] as const))('%s', async (_, proof) => {
    const made: { drop(): Promise<void> }[] = []
    const outcome = await proof.run('quick', {
      progress: () => undefined,
      database: async (state) => {
        const database = await (state === 'migrated' ? createStartedDatabase() : createEmptyDatabase())
        made.push(database)
        return database.url
      },
    })
    expect(outcome).toEqual({ measured: expect.any(String), pass: true })
    await Promise.all(made.map((database) => database.drop()))
  })

  test('every name in a list is that of a proof', () => {
    expect([...listed].filter((name) => !proofs.some((proof) => proof.name === name))).toEqual([])
  })
}
