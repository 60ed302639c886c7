import { sql } from 'kysely'
import type { PrivacySubject } from '../../commerce/connector-webhooks.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { OrderStatus } from '../orders/order.ts'
import { redactedMark } from '../orders/order.ts'
import { addHistory, type HistoryEntry } from '../orders/order-store.ts'

/** The orders that a message about privacy concerns: those it names, and those of the customer it names. */
export async function ordersOfCustomer(
  db: Db,
  integrationId: number,
  { customer, orderRemoteIds }: PrivacySubject,
): Promise<number[]> {
  const { remoteId = null, email = null, phone = null } = customer ?? {}
  const { rows } = await sql<{ id: number }>`
    select id from orders
    where integration_id = ${integrationId} and redacted_at is null and (
      remote_id = any(${[...orderRemoteIds]}::text[])
      or (${remoteId}::text is not null and customer ->> 'remote_id' = ${remoteId})
      or (${email}::text is not null and lower(customer ->> 'email') = lower(${email}))
      or (${phone}::text is not null and customer ->> 'phone' = ${phone}))
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

const platformWish = { source: 'webhook', note: 'Customer data redacted (platform request).' } as const

/** Who bought, and where it went, is forgotten wherever we hold it; what was bought stays. */
export async function redactOrders(
  trx: Db,
  integrationId: number,
  {
    orderIds,
    remoteIds,
    why = platformWish,
  }: {
    orderIds: readonly number[]
    remoteIds: readonly string[]
    why?: Pick<HistoryEntry, 'source' | 'note'>
  },
): Promise<void> {
  const mark = JSON.stringify(redactedMark)
  const { rows } = await sql<{ id: number; remote_id: string; status: OrderStatus }>`
    update orders set customer = ${mark}::jsonb, billing_address = null, shipping_address = null, note = null,
      tax_ids = '[]', attributes = '[]',
      items = coalesce((select jsonb_agg(item - 'attributes') from jsonb_array_elements(items) item), '[]'),
      returns = coalesce((select jsonb_agg(jsonb_set(one, '{lines}', coalesce(
        (select jsonb_agg(line || '{"reason":null}') from jsonb_array_elements(one->'lines') line), '[]')))
        from jsonb_array_elements(returns) one), '[]'),
      remote_payload = ${mark}::jsonb, redacted_at = now(), updated_at = now()
    where integration_id = ${integrationId} and id = any(${[...orderIds]}::bigint[])
    returning id, remote_id, status`.execute(trx)
  await addHistory(
    trx,
    integrationId,
    rows.map(({ id, status }) => ({
      order_id: id,
      status,
      ...why,
    })),
  )
  const all = [...new Set([...remoteIds, ...rows.map(({ remote_id }) => remote_id)])]
  await sql`
    update quarantine set payload = null
    where integration_id = ${integrationId} and kind = 'orders' and remote_id = any(${all}::text[])`.execute(trx)
  await sql`
    update inbound_deliveries set body = '\\x'
    where integration_id = ${integrationId} and kind = 'order' and remote_id = any(${all}::text[])
      and processed_at is not null`.execute(trx)
}
