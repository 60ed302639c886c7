import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import type { AppTenant } from '../tenant.ts'
import type { DisabledReason, Subscription, SubscriptionChanges, SubscriptionInput } from './subscription.ts'

/** Control plane: subscriptions are few, and read by whoever sends. */

const columns = [
  'id',
  'app_id',
  'integration_id',
  'event',
  'events',
  'integration_ids',
  'thin',
  'description',
  'url',
  'active',
  'failing_since',
  'disabled_at',
  'disabled_reason',
  'created_at',
  'updated_at',
] as const

export const webhookList: ListPlan = {
  name: 'webhooks',
  from: 'webhook_subscriptions',
  columns: columns.join(', '),
  filters: { active: { column: 'active', type: 'boolean' } },
  sorts: { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
}

/** Those of the app as a whole; what version 1.0 made belongs to its integration. */
export const webhookScope = ({ appId }: AppTenant): ListScope => ({
  key: 'app',
  sql: 'app_id = ? and integration_id is null and deleted_at is null and listens_until is null',
  params: [appId],
})

/** The id comes first, because the secret is sealed for the place where it will lie. */
export async function takeSubscriptionId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('webhook_subscriptions', 'id')) as id`.execute(db)
  return rows[0]?.id ?? 0
}

export async function insertSubscription(
  db: Db,
  owner: { appId: number | null; integrationId: number | null; createdBy?: number },
  input: SubscriptionInput & { id: number; secret: Buffer; keyId: string },
): Promise<Subscription> {
  const { rows } = await sql<Subscription>`
    insert into webhook_subscriptions (id, app_id, integration_id, event, events, integration_ids, thin, description, url, secret, key_id, active,
      created_by)
    overriding system value
    values (${input.id}, ${owner.appId}, ${owner.integrationId}, ${input.event ?? null}, ${[...(input.events ?? [])]},
      ${input.integration_ids ? [...input.integration_ids] : null}::bigint[], ${input.thin ?? false},
      ${input.description ?? null}, ${input.url}, ${input.secret}, ${input.keyId}, ${input.active ?? true},
      ${owner.createdBy ?? null})
    returning ${sql.raw(columns.join(', '))}`.execute(db)
  const [subscription] = rows
  if (!subscription) throw notFound()
  return subscription
}

const selectSubscriptions = (db: Db) =>
  db
    .selectFrom('webhook_subscriptions')
    .select(columns)
    .where('deleted_at', 'is', null)
    .$narrowType<{ disabled_reason: DisabledReason | null }>()

export const findSubscription = (db: Db, integrationId: number, id: number): Promise<Subscription> =>
  selectSubscriptions(db)
    .where('id', '=', id)
    .where('integration_id', '=', integrationId)
    .executeTakeFirstOrThrow(notFound)

/** Below an app that the caller has been let into. */
export const findWebhook = (db: Db, { appId }: AppTenant, id: number): Promise<Subscription> =>
  selectSubscriptions(db)
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .where('integration_id', 'is', null)
    .where('listens_until', 'is', null)
    .executeTakeFirstOrThrow(notFound)

/** As it is now, and nobody else changes it until the transaction ends. */
export const lockWebhook = async (trx: Db, id: number): Promise<Subscription> => {
  const found = await selectSubscriptions(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!found) throw notFound()
  return found
}

/** Part of a transaction that holds the webhook. */
export const changeWebhook = (
  trx: Db,
  id: number,
  { events, integration_ids: shops, ...changes }: SubscriptionChanges & { enable?: boolean },
): Promise<Subscription> => {
  const { enable, ...plain } = changes
  return trx
    .updateTable('webhook_subscriptions')
    .set({
      ...plain,
      ...(events && { events: [...events] }),
      ...(shops !== undefined && { integration_ids: shops && [...shops] }),
      // What another endpoint did says nothing about this one.
      ...(plain.url !== undefined && {
        failing_since: sql<string | null>`case when url = ${plain.url} then failing_since end`,
      }),
      ...(enable && { disabled_at: null, disabled_reason: null, failing_since: null }),
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .$narrowType<{ disabled_reason: DisabledReason | null }>()
    .executeTakeFirstOrThrow(notFound)
}

/** Null if somebody has done so already, or it goes to another address by now. */
export async function markDisabled(
  trx: Db,
  { id, url }: Pick<Subscription, 'id' | 'url'>,
  reason: DisabledReason,
): Promise<Subscription | null> {
  const disabled = await trx
    .updateTable('webhook_subscriptions')
    .set({ disabled_at: sql<string>`now()`, disabled_reason: reason, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .$narrowType<{ disabled_reason: DisabledReason | null }>()
    .executeTakeFirst()
  return disabled ?? null
}

export async function markDeleted(trx: Db, id: number): Promise<void> {
  await trx.updateTable('webhook_subscriptions').set(deletedNow).where('id', '=', id).execute()
}

/** Those of these shops that are no shops of the app. */
export async function foreignShops(db: Db, { appId }: AppTenant, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${ids}::bigint[]) id
    where not exists (
      select from integrations i where i.id = id.id and i.app_id = ${appId} and i.deleted_at is null)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Also those that version 1.0 made for its integrations. */
export async function webhooksOfApp(trx: Db, appId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from webhook_subscriptions where deleted_at is null
      and (app_id = ${appId} or integration_id in (select id from integrations where app_id = ${appId}))
    order by id for no key update`.execute(trx)
  return rows.map(({ id }) => id)
}
