import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** As the index of the migration has it: what may still have to be sent comes first. */
const isOver = sql.raw(`(status in ('SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED'))`)

/** Orders of which the shop has more than we do: first those that may still have to be sent, then the rest, each the newest first. */
export async function incompleteOrders(
  db: Db,
  integrationId: number,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<{ key: string; isOver: boolean }[]> {
  const { rows } = await sql<{ key: string; isOver: boolean }>`
    select remote_id as key, ${isOver} as "isOver" from orders
    where integration_id = ${integrationId} and incomplete and deleted_at is null
      and remote_id <> all(${[...without]}::text[])
    order by ${isOver}, placed_at desc limit ${limit}`.execute(db)
  return rows
}

/** What is still missing the shop does not tell. Whether it is still there is found where all that is gone is looked at together. */
export async function giveUpRest(trx: Db, integrationId: number, key: string): Promise<void> {
  await sql`
    update orders set incomplete = false, updated_at = now()
    where integration_id = ${integrationId} and remote_id = ${key} and incomplete`.execute(trx)
}
