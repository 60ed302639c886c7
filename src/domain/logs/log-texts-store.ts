import { sql } from 'kysely'
import { leavesOf } from '../../lib/sealing/person-text.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { TextTable } from '../text-table.ts'
import { openSaid, type SealedLog } from './sealed-log.ts'

const redacted = { message: '[redacted]', context: JSON.stringify({ redacted: true }) }

/** Reports may repeat what a shop has said. */
export const logTexts: TextTable = {
  name: 'integration_logs',
  async read(db, integrationId, { after, limit }) {
    const [at = '-infinity', id = '0'] = after?.split(' ') ?? []
    const { rows } = await sql<SealedLog & { at: string }>`
      select integration_id, id, at::text as at, message, context, private from integration_logs
      where integration_id = ${integrationId} and (at, id) > (${at.replace('T', ' ')}::timestamptz, ${id}::bigint)
      order by at, id limit ${limit}`.execute(db)
    return (await openSaid(db, rows)).map((row) => ({
      place: `${row.at.replace(' ', 'T')} ${row.id}`,
      says: [row.message, ...leavesOf(row.context)].join('\n'),
      orders: namedIn(row.context),
    }))
  },
  async forget(trx, integrationId, places) {
    const split = places.map((place) => place.split(' '))
    await sql`
      update integration_logs l set message = ${redacted.message}, context = ${redacted.context}::jsonb, private = null
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

const sealedAtOnce = 500

/** Reports in which a shop has named an order, or said one of these words, say nothing any longer. Part of a transaction. */
export async function forgetReports(
  trx: Db,
  integrationId: number,
  { remoteIds, words }: { remoteIds: readonly string[]; words: readonly string[] },
): Promise<void> {
  await sql`
    update integration_logs set message = ${redacted.message}, context = ${redacted.context}::jsonb, private = null
    where integration_id = ${integrationId} and level <> 'info' and (
      exists (
        select from jsonb_path_query(context, 'lax $.records[*].remote_id') named
        where named #>> '{}' = any(${[...remoteIds]}::text[]))
      or exists (
        select from unnest(${[...words]}::text[]) word
        where strpos(lower(message || ' ' || coalesce(context::text, '')), word) > 0))`.execute(trx)
  if (words.length === 0) return
  for (let after: string | null = '-infinity 0'; after !== null; ) {
    const [at, id]: string[] = after.split(' ')
    const { rows } = await sql<SealedLog & { place: string }>`
      select integration_id, id, message, context, private, replace(at::text, ' ', 'T') || ' ' || id as place
      from integration_logs
      where integration_id = ${integrationId} and private is not null
        and (at, id) > (${at?.replace('T', ' ')}::timestamptz, ${id}::bigint)
      order by at, id limit ${sealedAtOnce}`.execute(trx)
    const naming = (await openSaid(trx, rows)).filter(({ message, context }) => {
      const text = `${message} ${JSON.stringify(context)}`.toLowerCase()
      return words.some((word) => text.includes(word))
    })
    await logTexts.forget(
      trx,
      integrationId,
      naming.map(({ place }) => place),
    )
    after = rows.length === sealedAtOnce ? (rows.at(-1)?.place ?? null) : null
  }
}
