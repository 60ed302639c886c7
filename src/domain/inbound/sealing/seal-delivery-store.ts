import { sql } from 'kysely'
import type { Sealable } from '../../../runtime/db/vault/sealable.ts'
import { type Content, sealContent, sealError } from './sealed-delivery.ts'

const unsealed = `(private is null and length(body) > 0) or (error is not null and outcome is distinct from 'ignored')`

interface Row extends Content {
  integration_id: number
  id: number
  delivery_id: string
  private: Buffer | null
  error: string | null
  ours: boolean
}

/** Messages from before they were sealed. */
export const sealableDeliveries: Sealable = {
  table: 'shop_messages',
  unsealed,
  async sealSome(trx, integrationId, { key, limit }) {
    const { rows } = await sql<Row>`
      select integration_id, id, delivery_id, headers, query, body, private, error, outcome is not distinct from 'ignored' as ours
      from shop_messages
      where integration_id = ${integrationId} and (${sql.raw(unsealed)}) order by id limit ${limit} for update`.execute(
      trx,
    )
    for (const row of rows) {
      const content = row.private ?? (row.body.length > 0 ? sealContent(key, row, row) : null)
      const error = row.ours || row.error === null ? null : sealError(key, row, row.error)
      await sql`
        update shop_messages
        set private = ${content}, size = coalesce(size, length(body)), body = '\\x', headers = '{}', query = '{}',
          error = ${row.ours ? row.error : null}, private_error = coalesce(${error}, private_error)
        where integration_id = ${integrationId} and id = ${row.id}`.execute(trx)
    }
    return rows.length
  },
}
