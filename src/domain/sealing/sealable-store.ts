import { readEverywhere } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Sealable } from '../../runtime/db/vault/sealable.ts'
import { sealableDeliveries } from '../inbound/sealing/seal-delivery-store.ts'
import { sealableLogs } from '../logs/seal-log-store.ts'
import { sealableOperations } from '../operations/seal-operation-store.ts'
import { sealableNotes } from '../orders/privacy/history-store.ts'
import { sealableOrders } from '../orders/privacy/seal-store.ts'
import { sealableRuns } from '../runs/seal-run-store.ts'
import { sealableQuarantined } from '../sync/quarantine/quarantine-store.ts'
import { countUnsealedAnswers } from '../webhooks/seal-attempt-store.ts'

/** Every table of the data plane that holds customer data. */
export const sealables: readonly Sealable[] = [
  sealableOrders,
  sealableNotes,
  sealableDeliveries,
  sealableQuarantined,
  sealableOperations,
  sealableRuns,
  sealableLogs,
]

/** As many rows as are looked at for it, on each shard. */
const maxScanned = 10_000

/** Integrations with rows that are not sealed; not all of them at once. */
export async function integrationsToSeal(db: Db, { table, unsealed }: Sealable): Promise<number[]> {
  const rows = await readEverywhere<{ integration_id: number }>(db, {
    table,
    rows: (shard) => `select distinct integration_id from (
      select integration_id from ${shard} where ${unsealed} order by integration_id limit ${maxScanned}) first`,
    tail: 'order by integration_id',
  })
  return rows.map((row) => row.integration_id)
}

const maxCounted = 100_000

/** Rows that are not sealed yet, by table; of more than a hundred thousand no more are counted, on each shard. */
export async function countUnsealed(db: Db): Promise<{ table: string; rows: number }[]> {
  const counts: { table: string; rows: number }[] = []
  for (const { table, unsealed } of sealables) {
    const rows = await readEverywhere<{ n: number }>(db, {
      table,
      rows: (shard) =>
        `select count(*)::int as n from (select from ${shard} where ${unsealed} limit ${maxCounted}) first`,
      tail: '',
    })
    counts.push({ table, rows: rows.reduce((sum, { n }) => sum + n, 0) })
  }
  counts.push({ table: 'webhook_attempts', rows: await countUnsealedAnswers(db, maxCounted) })
  return counts
}
