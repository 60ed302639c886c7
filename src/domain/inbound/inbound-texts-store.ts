import { sql } from 'kysely'
import { leavesOf, readable } from '../../lib/sealing/person-text.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { TextTable } from '../text-table.ts'
import { type Content, type SealedError, unsealContents, unsealErrors } from './sealing/sealed-delivery.ts'

interface Row extends Content, SealedError {
  delivery_id: string
  kind: string | null
  remote_id: string | null
  private: Buffer | null
}

/** What shops have sent us. One that waits is emptied as soon as it was processed (`finishDeliveries`). */
export const inboundTexts: TextTable = {
  // As erasures that have begun note where they are, and results name it: not what the table is called.
  name: 'inbound_deliveries',
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<Row>`
      select integration_id, delivery_id, id, kind, remote_id, headers, query, body, private, error, private_error, reason, private_reason
      from shop_messages
      where integration_id = ${integrationId} and id > ${after ?? '0'}::bigint
      order by id limit ${limit}`.execute(db)
    const opened = await unsealErrors(db, await unsealContents(db, rows))
    return opened.map((row) => ({
      place: String(row.id),
      says: [
        row.error ?? '',
        ...[row.reason, row.headers, row.query].flatMap(leavesOf),
        readable(row.body.toString()),
      ].join('\n'),
      orders: row.kind === 'order' && row.remote_id !== null ? [row.remote_id] : [],
    }))
  },
  async forget(trx, integrationId, places) {
    await sql`
      update shop_messages set forget = true,
        private = case when processed_at is null then private end,
        private_error = case when processed_at is null then private_error end,
        private_reason = case when processed_at is null then private_reason end,
        reason = case when processed_at is null then reason end,
        size = case when processed_at is null then size end,
        body = case when processed_at is null then body else '\\x' end,
        headers = case when processed_at is null then headers else '{}' end,
        query = case when processed_at is null then query else '{}' end,
        error = case when processed_at is null then error end
      where integration_id = ${integrationId} and id = any(${[...places]}::bigint[])`.execute(trx)
  },
}

/** Places of messages that came so many days ago, were processed, and still say something. */
export async function expiredMessages(
  db: Db,
  integrationId: number,
  { days, limit }: { days: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select id from shop_messages
    where integration_id = ${integrationId} and received_at < now() - make_interval(days => ${days}::int)
      and processed_at is not null and (private is not null or private_error is not null or private_reason is not null or length(body) > 0)
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => String(id))
}
