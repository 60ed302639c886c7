import { sql } from 'kysely'
import type { Db } from '../connection.ts'
import { lockCounted } from '../lists/row-counters.ts'
import type { Sealable } from './sealable.ts'
import { keyForSealing } from './vault.ts'

/** How many rows are sealed in one transaction. */
export const sealedAtOnce = 100

interface Sealing {
  db: Db
  transaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
}

/** Seals some rows of an integration that an earlier version stored in the clear: how many; 0 when there are none left. */
export async function sealSome(
  { db, transaction }: Sealing,
  sealable: Sealable,
  integrationId: number,
): Promise<number> {
  // As a rule there are none: that takes no lock.
  if (!(await hasUnsealed(db, sealable, integrationId))) return 0
  return await transaction(async (trx) => {
    if ((await lockCounted(trx, integrationId)) === null) return 0
    const key = await keyForSealing(trx, integrationId)
    return await sealable.sealSome(trx, integrationId, { key, limit: sealedAtOnce })
  })
}

async function hasUnsealed(db: Db, { table, unsealed }: Sealable, integrationId: number): Promise<boolean> {
  const { rows } = await sql`
    select integration_id from ${sql.table(table)} where integration_id = ${integrationId} and (${sql.raw(unsealed)})
    limit 1`.execute(db)
  return rows.length > 0
}
