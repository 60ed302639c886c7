import { sql } from 'kysely'
import { leavesOf } from '../../lib/sealing/person-text.ts'
import type { TextTable } from '../text-table.ts'

const redacted = { message: '[redacted]', context: JSON.stringify({ redacted: true }) }

/** Reports may repeat what a shop has said. */
export const logTexts: TextTable = {
  name: 'integration_logs',
  async read(db, integrationId, { after, limit }) {
    const [at = '-infinity', id = '0'] = after?.split(' ') ?? []
    const { rows } = await sql<{ id: number; at: string; message: string; context: unknown }>`
      select id, at::text as at, message, context from integration_logs
      where integration_id = ${integrationId} and (at, id) > (${at.replace('T', ' ')}::timestamptz, ${id}::bigint)
      order by at, id limit ${limit}`.execute(db)
    return rows.map((row) => ({
      place: `${row.at.replace(' ', 'T')} ${row.id}`,
      says: [row.message, ...leavesOf(row.context)].join('\n'),
      orders: namedIn(row.context),
    }))
  },
  async forget(trx, integrationId, places) {
    const split = places.map((place) => place.split(' '))
    await sql`
      update integration_logs l set message = ${redacted.message}, context = ${redacted.context}::jsonb
      from unnest(${split.map(([at]) => at ?? '')}::timestamptz[], ${split.map(([, id]) => Number(id))}::bigint[]) r(at, id)
      where l.integration_id = ${integrationId} and l.at = r.at and l.id = r.id`.execute(trx)
  },
}

/** `records` of a report on records that could not be stored. */
function namedIn(context: unknown): string[] {
  const { records } = Object(context)
  if (!Array.isArray(records)) return []
  return records.flatMap((record: unknown) => {
    const { remote_id: remoteId } = Object(record)
    return typeof remoteId === 'string' ? [remoteId] : []
  })
}
