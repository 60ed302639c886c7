import { sql } from 'kysely'
import { readable } from '../../lib/sealing/person-text.ts'
import type { TextTable } from '../text-table.ts'

/** Orders that could not be stored, as the shop told them. */
export const quarantineTexts: TextTable = {
  name: 'quarantine',
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<{ remote_id: string; reason: string; payload: string | null }>`
      select remote_id, reason, payload from quarantine
      where integration_id = ${integrationId} and kind = 'orders' and remote_id > ${after ?? ''} collate "C"
      order by remote_id collate "C" limit ${limit}`.execute(db)
    return rows.map(({ remote_id: remoteId, reason, payload }) => ({
      place: remoteId,
      says: `${reason}\n${readable(payload ?? '')}`,
      orders: [remoteId],
    }))
  },
  async forget(trx, integrationId, places) {
    await sql`
      update quarantine set payload = null, reason = '[redacted]'
      where integration_id = ${integrationId} and kind = 'orders' and remote_id = any(${[...places]}::text[])`.execute(
      trx,
    )
  },
}
