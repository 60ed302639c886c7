import { sql } from 'kysely'
import type { PrivacySubject } from '../../commerce/connector-webhooks.ts'
import type { Db } from '../../runtime/db/connection.ts'

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
