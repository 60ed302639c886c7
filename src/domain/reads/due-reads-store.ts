import { sql } from 'kysely'
import { liesOn, type Node } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { hasRows } from '../../runtime/db/rows/has-rows.ts'
import { type ReadBy, type ReadShare, serviceReadMinutes } from '../integrations/reading.ts'

/** An integration whose shop is to be asked now. */
export interface DueRead extends ReadBy {
  id: number
  app_id: number | null
  service_id: number
  type: string
  definition: unknown
  /** Minutes since products and stock were asked for; null if they are to be now. */
  catalogue_age: number | null
  now: string
}

const isDue = sql`next_read_at <= now() and status = 'ACTIVE' and active and deleted_at is null`

export async function hasDueReads(db: Db): Promise<boolean> {
  return await hasRows(db, sql`select from integrations where ${isDue}`)
}

/**
 * Those whose time has come, held until the transaction ends; what somebody else holds is left to him. In the order of
 * their tenants, so that two who queue for many never wait crosswise.
 */
export async function takeDueReads(trx: Db, limit: number, node: Node): Promise<DueRead[]> {
  const { rows } = await sql<DueRead>`
    select due.id, due.app_id, due.service_id, due.type, services.definition, due.read_every_minutes, due.messages,
      ${sql.raw(serviceReadMinutes)} as service_read_minutes,
      extract(epoch from now() - due.catalogue_read_at)::float8 / 60 as catalogue_age, now() as now
    from (
      select id, app_id, service_id, type, read_every_minutes, messages, catalogue_read_at from integrations
      where ${isDue} and ${liesOn(node, 'id')}
      order by next_read_at limit ${limit}
      for no key update skip locked
    ) due
    join services on services.id = due.service_id
    order by due.app_id, due.id`.execute(trx)
  return rows
}

export interface NextRead {
  id: number
  nextReadAt: string | null
  /** Whether products and stock were asked for as well. */
  catalogue: boolean
  share: ReadShare | null
}

export async function setNextReads(trx: Db, reads: readonly NextRead[]): Promise<void> {
  await sql`
    update integrations i set next_read_at = r.next, read_share = r.share,
      catalogue_read_at = case when r.catalogue then now() else i.catalogue_read_at end
    from unnest(${reads.map(({ id }) => id)}::bigint[], ${reads.map(({ nextReadAt }) => nextReadAt)}::timestamptz[],
      ${reads.map(({ catalogue }) => catalogue)}::boolean[],
      ${reads.map(({ share }) => (share === null ? null : JSON.stringify(share)))}::jsonb[]) as r (id, next, catalogue, share)
    where i.id = r.id`.execute(trx)
}
