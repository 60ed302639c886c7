import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** As the index of the migration has it: what may still have to be sent comes first. */
const isOver = sql.raw(`(status in ('SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED'))`)

/** Orders of which the shop has more than we do, the newest first; none that was asked for since. */
export async function incompleteOrders(
  db: Db,
  integrationId: number,
  { startedAt, limit }: { startedAt: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select remote_id as key from orders
    where integration_id = ${integrationId} and incomplete and deleted_at is null
      and coalesce(compared_at, '-infinity') < ${startedAt}::timestamptz
    order by ${isOver}, placed_at desc limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** The same for who asks for them beside whatever else is read, in two parts: what may still have to be sent, and the rest. */
export async function partlyKnown(
  db: Db,
  integrationId: number,
  { over, without, limit }: { over: boolean; without: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select remote_id as key from orders
    where integration_id = ${integrationId} and incomplete and deleted_at is null and ${isOver} = ${over}
      and remote_id <> all(${[...without]}::text[])
    order by placed_at desc limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** The shop does not tell the rest. Whether it is still there is found where all that is gone is looked at together. */
export async function giveUpRest(trx: Db, integrationId: number, key: string): Promise<void> {
  await sql`
    update orders set incomplete = false, updated_at = now()
    where integration_id = ${integrationId} and remote_id = ${key}`.execute(trx)
}
