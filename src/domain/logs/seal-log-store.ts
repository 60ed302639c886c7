import { sql } from 'kysely'
import { sealRecord } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Sealable } from '../../runtime/db/vault/sealable.ts'
import { placeOfSaid } from './sealed-log.ts'

interface Row {
  integration_id: number
  id: number
  /** As PostgreSQL writes it, to the microsecond: it is part of the key. */
  at: string
  message: string
  context: unknown
  isOurs: boolean
}

/** A day longer than that, for whoever of the version before was still writing. */
async function keptApartSince(db: Db): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select (applied_at + interval '1 day')::text as at from migrations where name = '0060_sealed_reports'`.execute(db)
  return rows[0]?.at ?? 'infinity'
}

/** Entries from before what shops say was told apart from our own words: all of an entry may be theirs. */
export const sealableLogs: Sealable = {
  table: 'integration_logs',
  unsealed: 'to_seal',
  async sealSome(trx, integrationId, { key, limit }) {
    const since = await keptApartSince(trx)
    const { rows } = await sql<Row>`
      select integration_id, id, at::text as at, message, context,
        (private is not null or at > ${since}::timestamptz) as "isOurs" from integration_logs
      where integration_id = ${integrationId} and to_seal order by at, id limit ${limit} for update`.execute(trx)
    const sealed = rows
      .filter(({ isOurs }) => !isOurs)
      .map((row) => {
        const { message, context } = row
        const said = JSON.stringify(context === null ? { message } : { message, context })
        return { at: row.at, id: row.id, private: sealRecord(key, said, placeOfSaid(row)).toString('hex') }
      })
    await sql`
      update integration_logs l set private = decode(r.private, 'hex'), message = '[redacted]', context = null, to_seal = null
      from jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) r(at timestamptz, id bigint, private text)
      where l.integration_id = ${integrationId} and l.at = r.at and l.id = r.id`.execute(trx)
    const ours = rows.filter(({ isOurs }) => isOurs)
    await sql`
      update integration_logs l set to_seal = null
      from unnest(${ours.map(({ at }) => at)}::timestamptz[], ${ours.map(({ id }) => id)}::bigint[]) r(at, id)
      where l.integration_id = ${integrationId} and l.at = r.at and l.id = r.id`.execute(trx)
    return rows.length
  },
}
