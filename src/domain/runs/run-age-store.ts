import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

const atOnce = 1000

/** A batch of those that the clock started and that found nothing, ended a day ago. How many it were. */
export async function deleteQuietRuns(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from runs r using (
      select integration_id, id from runs where quiet and finished_at < now() - interval '1 day'
      order by finished_at limit ${atOnce}) o
    where r.integration_id = o.integration_id and r.id = o.id
    returning r.id`.execute(db)
  return rows.length
}

/** A batch of those that ended so long ago, but never the latest of an integration and resource. How many it were. */
export async function deleteOldRuns(db: Db, days: number): Promise<number> {
  const { rows: old } = await sql<{ integration_id: number; id: number }>`
    select r.integration_id, r.id from runs r
    where r.finished_at < now() - make_interval(days => ${days}) and exists (
      select from runs l where l.integration_id = r.integration_id and l.resource = r.resource and l.id > r.id)
    order by r.finished_at limit ${atOnce}`.execute(db)
  if (old.length === 0) return 0
  await sql`
    delete from runs r using unnest(
      ${old.map((run) => run.integration_id)}::bigint[], ${old.map((run) => run.id)}::bigint[]) o(integration_id, id)
    where r.integration_id = o.integration_id and r.id = o.id`.execute(db)
  return old.length
}
