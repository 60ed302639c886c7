import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

type Kind = 'orders' | 'products'

/** Orders change in their first weeks; products whenever somebody likes. */
const orderDays = 30

/** Keys of those whose content was held against the shop longest ago, or never. None that this pass has compared, or of which the rest is read in any case. */
export async function leastCompared(
  db: Db,
  integrationId: number,
  { kind, startedAt, oldest, limit }: { kind: Kind; startedAt: string; oldest: string | null; limit: number },
): Promise<string[]> {
  // Where there is no horizon, `greatest` passes over it.
  const recent = sql`and not c.incomplete and c.placed_at > greatest(
    now() - make_interval(days => ${sql.lit(orderDays)}), ${oldest}::timestamptz)`
  const { rows } = await sql<{ key: string }>`
    select c.remote_id as key from ${sql.table(kind)} c
    where c.integration_id = ${integrationId} and c.remote_version is not null and c.vanished_at is null
      and c.deleted_at is null and c.updated_at < ${startedAt}::timestamptz
      and coalesce(c.compared_at, '-infinity') < ${startedAt}::timestamptz ${kind === 'orders' ? recent : sql``}
    order by c.compared_at nulls first, c.id desc limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

export async function markCompared(
  db: Db,
  integrationId: number,
  { kind, keys }: { kind: Kind; keys: readonly string[] },
): Promise<void> {
  await sql`
    update ${sql.table(kind)} set compared_at = now()
    where integration_id = ${integrationId} and remote_id = any(${[...keys]}::text[])`.execute(db)
}
