import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { sealAnswers } from './sealed-answer.ts'

/** What endpoints answered before that was sealed. Of an event that is gone nobody knows whose it was. */
interface Row {
  delivery_id: number
  number: number
  response_body: string | null
  integration_id: number | null
  isKnown: boolean
}

/**
 * Seals so many where they are, and takes the mark off: how many there were. What is about an integration that has left goes
 * with its key. Part of a transaction.
 */
export async function sealSomeAnswers(trx: Db, limit: number): Promise<number> {
  const { rows } = await sql<Row>`
    select a.delivery_id, a.number, a.response_body, e.integration_id, e.id is not null as "isKnown"
    from (select delivery_id, number, response_body from webhook_attempts
      where to_seal order by delivery_id, number limit ${limit} for update skip locked) a
    left join webhook_deliveries d on d.id = a.delivery_id
    left join webhook_events e on e.id = d.event_id`.execute(trx)
  const settled: { delivery: number; number: number; integration: number | null; clear: boolean; sealed?: string }[] =
    []
  for (const row of rows) {
    const { delivery_id: delivery, number, integration_id: integration, response_body: body } = row
    const answered = { delivery, attempt: number, integrationId: integration, body }
    const [sealed] = await sealAnswers(trx, [answered])
    // News of webhooks themselves name nobody, and so does what is answered to them.
    const clear = row.isKnown && integration === null
    settled.push({ delivery, number, integration, clear, ...(sealed && { sealed: sealed.toString('hex') }) })
  }
  await sql`
    update webhook_attempts a set to_seal = null, integration_id = coalesce(a.integration_id, r.integration),
      private_body = coalesce(a.private_body, decode(r.sealed, 'hex')),
      response_body = case when r.clear then a.response_body end
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb)
      r(delivery bigint, number int, integration bigint, clear boolean, sealed text)
    where a.delivery_id = r.delivery and a.number = r.number`.execute(trx)
  return rows.length
}

/** Of more than that no more are counted. */
export async function countUnsealedAnswers(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from webhook_attempts where to_seal limit ${limit}) first`.execute(db)
  return rows[0]?.n ?? 0
}
