import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Subscription, SubscriptionInput } from './subscription.ts'

/** Control plane: subscriptions are few, and read by whoever sends. */

const columns = ['id', 'app_id', 'integration_id', 'event', 'url', 'active', 'created_at', 'updated_at'] as const

/** The id comes first, because the secret is sealed for the place where it will lie. */
export async function takeSubscriptionId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('webhook_subscriptions', 'id')) as id`.execute(db)
  return rows[0]?.id ?? 0
}

export async function insertSubscription(
  db: Db,
  owner: { appId: number | null; integrationId: number | null },
  input: SubscriptionInput & { id: number; secret: Buffer; keyId: string },
): Promise<Subscription> {
  const { rows } = await sql<Subscription>`
    insert into webhook_subscriptions (id, app_id, integration_id, event, url, secret, key_id, active)
    overriding system value
    values (${input.id}, ${owner.appId}, ${owner.integrationId}, ${input.event}, ${input.url}, ${input.secret},
      ${input.keyId}, ${input.active ?? true})
    returning ${sql.raw(columns.join(', '))}`.execute(db)
  const [subscription] = rows
  if (!subscription) throw notFound()
  return subscription
}

export async function findSubscription(db: Db, integrationId: number, id: number): Promise<Subscription> {
  return await db
    .selectFrom('webhook_subscriptions')
    .select(columns)
    .where('id', '=', id)
    .where('integration_id', '=', integrationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(notFound)
}

export async function deleteSubscription(db: Db, integrationId: number, id: number): Promise<void> {
  const result = await db
    .updateTable('webhook_subscriptions')
    .set({ deleted_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('integration_id', '=', integrationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw notFound()
}
