import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { lockCounted } from '../../../runtime/db/lists/row-counters.ts'
import { forgetReports } from '../../logs/log-texts-store.ts'
import { type OrderStatus, redactedMark } from '../order.ts'
import { anyOrdersByIds } from '../order-store.ts'
import { addHistory, forgetNotes, type HistoryEntry } from './history-store.ts'
import { type Person, redactOperations } from './redact-operations-store.ts'

const mark = JSON.stringify(redactedMark)

/** Who bought, and where it went, is forgotten wherever we hold it; what was bought stays. */
export async function redactOrders(
  trx: Db,
  integrationId: number,
  {
    orderIds,
    remoteIds,
    why,
  }: {
    orderIds: readonly number[]
    /** Of orders that we may not hold, but have heard of. */
    remoteIds: readonly string[]
    why: Pick<HistoryEntry, 'source' | 'note'>
  },
): Promise<void> {
  // Before anything else, as whoever stores orders does: what is being stored now is redacted afterwards.
  await lockCounted(trx, integrationId)
  const people = await buyersOf(trx, integrationId, orderIds)
  const { rows } = await sql<{ id: number; remote_id: string; status: OrderStatus }>`
    update orders set customer = ${mark}::jsonb, billing_address = null, shipping_address = null, note = null,
      tax_ids = '[]', attributes = '[]', tags = '[]', purchase_order = null,
      items = coalesce((select jsonb_agg(item - 'attributes') from jsonb_array_elements(items) item), '[]'),
      refunds = coalesce((select jsonb_agg(one || '{"reason":null}') from jsonb_array_elements(refunds) one), '[]'),
      returns = coalesce((select jsonb_agg(jsonb_set(one, '{lines}', coalesce(
        (select jsonb_agg(line || '{"reason":null}') from jsonb_array_elements(one->'lines') line), '[]')))
        from jsonb_array_elements(returns) one), '[]'),
      private = null, private_digest = null, private_words = null, remote_record = null,
      remote_payload = ${mark}::jsonb, redacted_at = now(), updated_at = now()
    where integration_id = ${integrationId} and id = any(${[...orderIds]}::bigint[])
    returning id, remote_id, status`.execute(trx)
  await forgetNotes(trx, integrationId, orderIds)
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
    update quarantine set private = null, payload = null, reason = '[redacted]'
    where integration_id = ${integrationId} and kind = 'orders' and remote_id = any(${all}::text[])`.execute(trx)
  await sql`
    update shop_messages set private = null, private_error = null, private_reason = null, size = 0, body = '\\x', headers = '{}', query = '{}',
      error = null, reason = null
    where integration_id = ${integrationId} and kind = 'order' and remote_id = any(${all}::text[])
      and processed_at is not null`.execute(trx)
  await redactOperations(trx, integrationId, { remoteIds: all, people })
  await redactLogs(trx, integrationId, { remoteIds: all, people })
}

async function buyersOf(trx: Db, integrationId: number, orderIds: readonly number[]): Promise<Person[]> {
  const orders = await anyOrdersByIds(trx, integrationId, orderIds)
  return orders.map(({ customer }) => {
    const text = (field: string) => (typeof customer[field] === 'string' ? customer[field] : null)
    const name = [text('first_name'), text('last_name')].filter((part) => part !== null).join(' ')
    return { email: text('email')?.toLowerCase() ?? null, phone: text('phone'), name: name.toLowerCase() || null }
  })
}

/** Of more people than that, texts are not searched: they are redacted by the clock, and logs name the order in any case. */
const maxSearched = 20
/** Shorter ones stand in any text. */
const minLetters = 5

/** Reports of what went wrong may repeat what the shop said: those that name the order, or the person. */
async function redactLogs(
  trx: Db,
  integrationId: number,
  { remoteIds, people }: { remoteIds: readonly string[]; people: readonly Person[] },
): Promise<void> {
  const words = people
    .slice(0, people.length > maxSearched ? 0 : maxSearched)
    .flatMap(({ email, phone, name }) => [email ?? '', phone ?? '', name ?? ''])
    .filter((word) => word.length >= minLetters)
  await forgetReports(trx, integrationId, { remoteIds, words })
}
