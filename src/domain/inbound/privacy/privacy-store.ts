import { sql } from 'kysely'
import type { PrivacySubject } from '../../../commerce/connector/webhooks.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { ordersOfPerson } from '../../orders/privacy/find-person-store.ts'

/** The orders that a message about privacy concerns: those it names, and those of the customer it names. */
export async function ordersOfCustomer(
  db: Db,
  integrationId: number,
  { customer, orderRemoteIds }: PrivacySubject,
): Promise<number[]> {
  const { remoteId, email, phone } = customer ?? {}
  const { rows } = await sql<{ id: number }>`
    select id from orders
    where integration_id = ${integrationId} and redacted_at is null and remote_id = any(${[...orderRemoteIds]}::text[])`.execute(
    db,
  )
  const found = new Set(rows.map(({ id }) => id))
  for (const sought of [{ remoteId }, { email }, { phone }]) {
    for (const { id } of await ordersOfPerson(db, [integrationId], sought)) found.add(id)
  }
  return [...found].sort((a, b) => a - b)
}
