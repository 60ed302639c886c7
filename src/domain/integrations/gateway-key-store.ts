import { sql } from 'kysely'
import { digest, randomSecret } from '../../lib/secret.ts'
import type { Db } from '../../runtime/db/connection.ts'

/** A new key of the integration, in the clear for this once: only its hash is kept. */
export async function issueGatewayKey(db: Db, integrationId: number, createdBy: number | null): Promise<string> {
  const key = `gw_${randomSecret()}`
  await db
    .insertInto('gateway_keys')
    .values({ integration_id: integrationId, key_hash: digest(key), created_by: createdBy })
    .execute()
  return key
}

/** The keys in use end in a day; those that were to end already, at once: never more than two are valid. */
export async function retireGatewayKeys(db: Db, integrationId: number): Promise<void> {
  await db
    .deleteFrom('gateway_keys')
    .where('integration_id', '=', integrationId)
    .where('expires_at', 'is not', null)
    .execute()
  await db
    .updateTable('gateway_keys')
    .set({ expires_at: sql<string>`now() + interval '24 hours'` })
    .where('integration_id', '=', integrationId)
    .execute()
}

export async function destroyGatewayKeys(db: Db, integrationId: number): Promise<void> {
  await db.deleteFrom('gateway_keys').where('integration_id', '=', integrationId).execute()
}

export async function endGatewayKeys(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('gateway_keys').where('id', 'in', ids).execute()
}

export async function deleteExpiredGatewayKeys(db: Db): Promise<void> {
  await db.deleteFrom('gateway_keys').where('expires_at', '<', sql<string>`now()`).execute()
}
