import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { redactedMark } from '../order.ts'

/** Whom it is about, so far as texts may name them. */
export interface Person {
  email: string | null
  phone: string | null
  name: string | null
}

/** Of an order as a shop has answered: the same answer, given again, says no more of the buyer than our copy does. */
const forgotten = JSON.stringify({
  ...{ customer: null, billing_address: null, shipping_address: null, note: null, purchase_order: null },
  ...{ tax_ids: [], attributes: [], tags: [], cancel_reason: null, raw: redactedMark },
})

/**
 * What was sent to the shop for these orders, and what it answered. Not what is still under way: without it nobody could
 * find out what became of it. It is over within a day. Of an order that the shop refused, only the person tells whose it was.
 */
export async function redactOperations(
  trx: Db,
  integrationId: number,
  { remoteIds, people }: { remoteIds: readonly string[]; people: readonly Person[] },
): Promise<void> {
  const ids = sql`any(${[...remoteIds]}::text[])`
  const emails = people.flatMap(({ email }) => email ?? [])
  const phones = people.flatMap(({ phone }) => phone ?? [])
  await sql`
    update operations set
      input = input - '{customer,billing_address,shipping_address,note,reason,tags}'::text[],
      result = case when jsonb_typeof(result) = 'object' and result ? 'customer'
        then jsonb_set(result || ${forgotten}::jsonb, '{lines}', coalesce(
          (select jsonb_agg(line || '{"attributes":[]}') from jsonb_array_elements(result -> 'lines') line), '[]'))
        else result end,
      error = null
    where integration_id = ${integrationId} and status in ('confirmed', 'refused') and jsonb_typeof(input) = 'object' and (
      input ->> 'order_remote_id' = ${ids}
      or (kind = 'cancel_order' and key = ${ids})
      or (kind = 'create_order' and (result ->> 'remote_id' = ${ids} or (status = 'refused' and (
        lower(input #>> '{customer,email}') = any(${emails}::text[])
        or input #>> '{customer,phone}' = any(${phones}::text[]))))))`.execute(trx)
}
