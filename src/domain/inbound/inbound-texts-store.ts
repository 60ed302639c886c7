import { sql } from 'kysely'
import { leavesOf, readable } from '../../lib/sealing/person-text.ts'
import type { TextTable } from '../text-table.ts'

interface Row {
  id: number
  kind: string | null
  remote_id: string | null
  headers: unknown
  query: unknown
  body: Buffer
  error: string | null
}

/** What shops have sent us. One that waits is emptied as soon as it was processed (`finishDeliveries`). */
export const inboundTexts: TextTable = {
  name: 'inbound_deliveries',
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<Row>`
      select id, kind, remote_id, headers, query, body, error from inbound_deliveries
      where integration_id = ${integrationId} and id > ${after ?? '0'}::bigint
      order by id limit ${limit}`.execute(db)
    return rows.map((row) => ({
      place: String(row.id),
      says: [row.error ?? '', ...leavesOf(row.headers), ...leavesOf(row.query), readable(row.body.toString())].join(
        '\n',
      ),
      orders: row.kind === 'order' && row.remote_id !== null ? [row.remote_id] : [],
    }))
  },
  async forget(trx, integrationId, places) {
    await sql`
      update inbound_deliveries set forget = true,
        body = case when processed_at is null then body else '\\x' end,
        headers = case when processed_at is null then headers else '{}' end,
        query = case when processed_at is null then query else '{}' end,
        error = case when processed_at is null then error end
      where integration_id = ${integrationId} and id = any(${[...places]}::bigint[])`.execute(trx)
  },
}
