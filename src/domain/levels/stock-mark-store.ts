import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** On which workers are notified of a shop in a pool: `follow 17` (something changed there) or `tell 17` (it is to show something else). */
export const stockChannel = 'entrepot_stock'

export const orderMark = (orderId: number): string => `order ${orderId}`
export const levelMark = (sku: string): string => `level ${sku}`

/**
 * Something has changed in the shop that one stock for all shops depends on: part of the transaction that changed it, which
 * holds the lock of the integration. A shop that is in no pool pays for the question only; what changed is asked for only then.
 */
export async function markForStock(trx: Db, integrationId: number, whatIn: () => readonly string[]): Promise<void> {
  if (known.get(trx)?.get(integrationId) ?? (await isInPool(trx, integrationId)))
    await addMarks(trx, integrationId, whatIn())
}

/** What whoever took the lock of the integration has read with it: it stays so until the transaction ends. */
const known = new WeakMap<Db, Map<number, boolean>>()

export function rememberPool(trx: Db, integrationId: number, inPool: boolean): void {
  known.set(trx, (known.get(trx) ?? new Map()).set(integrationId, inPool))
}

async function isInPool(trx: Db, integrationId: number): Promise<boolean> {
  const { rows } = await sql<{ in_pool: boolean }>`
    select in_pool from integration_state where integration_id = ${integrationId}`.execute(trx)
  return rows[0]?.in_pool ?? false
}

/** Also for what has not changed and is to be looked at all the same. */
export async function addMarks(trx: Db, integrationId: number, what: readonly string[]): Promise<void> {
  if (what.length === 0) return
  await sql`
    insert into stock_marks as m (integration_id, what)
    select s.integration_id, r.what from integration_state s cross join unnest(${[...new Set(what)].sort()}::text[]) r(what)
    where s.integration_id = ${integrationId}
    on conflict (integration_id, what) do update set n = m.n + 1`.execute(trx)
  await announceStock(trx, 'follow', integrationId)
}

export async function announceStock(trx: Db, what: 'follow' | 'tell', integrationId: number): Promise<void> {
  await sql`select pg_notify(${stockChannel}, ${`${what} ${integrationId}`})`.execute(trx)
}
