import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

export interface InboundDelivery {
  delivery_id: string
  topic: string | null
  headers: Record<string, string>
  query: Record<string, string>
  body: Buffer
}

/** False if the same message is there already: platforms repeat themselves. */
export async function insertInbound(db: Db, integrationId: number, delivery: InboundDelivery): Promise<boolean> {
  const result = await db
    .insertInto('inbound_deliveries')
    .values({ ...delivery, integration_id: integrationId })
    .onConflict((conflict) => conflict.columns(['integration_id', 'delivery_id']).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The integrations that an address names: of this service, account and shop. Nearly always one. */
export async function addressedIntegrations(
  db: Db,
  address: { channel: string; accountId: number | null; store: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('integrations')
    .select('id')
    .where('type', '=', address.channel)
    .where('shop', '=', address.store)
    .where(sql<boolean>`account_id is not distinct from ${address.accountId}::bigint`)
    .where('status', '<>', 'UNINSTALLED')
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(5)
    .execute()
  return rows.map((row) => row.id)
}
