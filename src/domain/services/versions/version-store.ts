import { sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../../runtime/db/lists/paginate.ts'
import type { JsonValue } from '../../../runtime/db/tables.gen.ts'

/** One time that somebody published the description of a service. */
export interface ServiceVersion {
  number: number
  user_id: number | null
  user_name: string | null
  restored_from: number | null
  /** Whether this is what counts now. */
  present: boolean
  created_at: string
}

export interface WholeVersion extends ServiceVersion {
  definition: JsonValue
}

/** So many of each service are kept, the newest. */
export const maxVersions = 100

const columns = `v.id, v.number, v.user_id, u.name as user_name, v.restored_from, v.created_at,
  v.number = (select max(number) from service_versions where service_id = v.service_id)
    and v.definition is not distinct from s.definition as present`
const from = `service_versions v join services s on s.id = v.service_id left join users u on u.id = v.user_id`

export const versionList: ListPlan = {
  name: 'service versions',
  from,
  columns,
  filters: {},
  sorts: { number: 'v.number', created_at: 'v.created_at' },
  id: 'v.id',
  defaultSort: [{ field: 'number', descending: true }],
}

export const versionsOf = (serviceId: number): ListScope => ({
  key: 'service',
  sql: 'v.service_id = ?',
  params: [serviceId],
})

export async function readVersion(db: Db, serviceId: number, number: number): Promise<WholeVersion> {
  const { rows } = await sql<WholeVersion>`
    select ${sql.raw(columns)}, v.definition from ${sql.raw(from)}
    where v.service_id = ${serviceId} and v.number = ${number}`.execute(db)
  const [version] = rows
  if (!version) throw notFound()
  return version
}

interface Published {
  serviceId: number
  /** What counted until now; null where nothing did. */
  before: JsonValue
  definition: object
  userId: number
  restoredFrom: number | null
}

/**
 * Keeps what is published from now on. Part of a transaction that holds the service. What counted until now is kept first,
 * where a program that knew of no versions has published it.
 */
export async function keepVersion(trx: Db, published: Published): Promise<number> {
  const { serviceId, before, definition, userId, restoredFrom } = published
  const add = (values: { definition: unknown; userId: number | null; restoredFrom: number | null }) =>
    sql`
    insert into service_versions (service_id, number, definition, user_id, restored_from)
    select ${serviceId}, coalesce(max(number), 0) + 1, ${JSON.stringify(values.definition)}::jsonb, ${values.userId}::bigint,
      ${values.restoredFrom}::integer
    from service_versions where service_id = ${serviceId}`.execute(trx)
  const { rows } = await sql<{ known: boolean }>`
    select definition = ${JSON.stringify(before)}::jsonb as known from service_versions
    where service_id = ${serviceId} order by number desc limit 1`.execute(trx)
  if (before !== null && rows[0]?.known !== true) await add({ definition: before, userId: null, restoredFrom: null })
  await add({ definition, userId, restoredFrom })
  const { rows: newest } = await sql<{ number: number }>`
    select max(number) as number from service_versions where service_id = ${serviceId}`.execute(trx)
  const number = newest[0]?.number ?? 1
  await sql`
    delete from service_versions where service_id = ${serviceId} and number <= ${number - maxVersions}`.execute(trx)
  return number
}
