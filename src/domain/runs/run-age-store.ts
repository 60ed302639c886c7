import { sql } from 'kysely'
import { readEverywhere } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'

const atOnce = 1000

/** A batch of those that the clock started and that found nothing, ended a day ago. How many it were. */
export const deleteQuietRuns = (db: Db): Promise<number> =>
  deleteRuns(
    db,
    (table) => `select integration_id, id, finished_at from ${table}
      where quiet and finished_at < now() - interval '1 day' order by finished_at limit ${atOnce}`,
  )

/** A batch of those that ended so long ago, but never the latest of an integration and resource. How many it were. */
export const deleteOldRuns = (db: Db, days: number): Promise<number> =>
  deleteRuns(
    db,
    (table) => `select r.integration_id, r.id, r.finished_at from ${table} r
      where r.finished_at < now() - make_interval(days => ${days}) and exists (
        select from ${table} l where l.integration_id = r.integration_id and l.resource = r.resource and l.id > r.id)
      order by r.finished_at limit ${atOnce}`,
  )

async function deleteRuns(db: Db, rows: (table: string) => string): Promise<number> {
  const tail = `order by finished_at limit ${atOnce}`
  const old = await readEverywhere<{ integration_id: number; id: number }>(db, { table: 'runs', rows, tail })
  if (old.length === 0) return 0
  const integrationIds = old.map((run) => run.integration_id)
  await sql`
    delete from runs r using unnest(${integrationIds}::bigint[], ${old.map((run) => run.id)}::bigint[]) o(integration_id, id)
    where r.integration_id = any(${integrationIds}::bigint[]) and r.integration_id = o.integration_id and r.id = o.id`.execute(
    db,
  )
  return old.length
}
