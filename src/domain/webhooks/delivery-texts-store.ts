import { sql } from 'kysely'
import { readable } from '../../lib/sealing/person-text.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { TextTable } from '../text-table.ts'
import { openAnswers, type SealedAnswer } from './sealed-answer.ts'

/** What endpoints have answered to events of these subjects: nobody knows whom they name. */
export async function forgetAnswersAbout(trx: Db, subjects: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select d.id from webhook_events e join webhook_deliveries d on d.event_id = e.id
    where e.subject = any(${[...subjects]}::text[])`.execute(trx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  await sql`
    update webhook_attempts set response_body = null, private_body = null, error = null, reason = null where delivery_id = any(${ids}::bigint[])`.execute(
    trx,
  )
  await sql`
    update webhook_deliveries set error = null, reason = null where id = any(${ids}::bigint[]) and error is not null`.execute(
    trx,
  )
}

/** What endpoints have answered to any news of the integration. */
export const attemptTexts: TextTable = {
  name: 'webhook_attempts',
  async read(db, integrationId, { after, limit }) {
    const [delivery = '0', number = '0'] = after?.split(' ') ?? []
    const { rows } = await sql<SealedAnswer>`
      select delivery_id, number, integration_id, response_body, private_body from webhook_attempts
      where integration_id = ${integrationId} and private_body is not null
        and (delivery_id, number) > (${delivery}::bigint, ${number}::int)
      order by delivery_id, number limit ${limit}`.execute(db)
    return (await openAnswers(db, rows)).map((row) => ({
      place: `${row.delivery_id} ${row.number}`,
      says: readable(row.response_body ?? ''),
      orders: [],
    }))
  },
  async forget(trx, _integrationId, places) {
    const split = places.map((place) => place.split(' ').map(Number))
    await sql`
      update webhook_attempts a set private_body = null
      from unnest(${split.map(([delivery = 0]) => delivery)}::bigint[], ${split.map(([, number = 0]) => number)}::int[])
        as named (delivery_id, number)
      where a.delivery_id = named.delivery_id and a.number = named.number`.execute(trx)
  },
}
