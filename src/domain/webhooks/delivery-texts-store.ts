import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** What endpoints have answered to events of these subjects: nobody knows whom they name. */
export async function forgetAnswersAbout(trx: Db, subjects: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select d.id from webhook_events e join webhook_deliveries d on d.event_id = e.id
    where e.subject = any(${[...subjects]}::text[])`.execute(trx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  await sql`
    update webhook_attempts set response_body = null, private_body = null, error = null where delivery_id = any(${ids}::bigint[])`.execute(
    trx,
  )
  await sql`
    update webhook_deliveries set error = null where id = any(${ids}::bigint[]) and error is not null`.execute(trx)
}
