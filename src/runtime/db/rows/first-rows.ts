import { type RawBuilder, sql } from 'kysely'

/**
 * The first rows of an integration in the order of their key, behind `delete from`: so many at a time, until none is left. They are named by
 * where they end in the index. Asked for `key in (select … limit …)` the planner joins the table with itself, and of a shop that the statistics do
 * not know it expects one row on either side: then each of the rows is held against each of the others, a second of a core for 10,000.
 */
export function firstRows(
  table: string,
  integrationId: number,
  { key, limit, which }: { key: readonly string[]; limit: number; which?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const columns = sql.raw(key.join(', '))
  const backwards = sql.raw(key.map((column) => `${column} desc`).join(', '))
  const ofIntegration = sql`integration_id = ${integrationId}${which ? sql` and ${which}` : sql``}`
  return sql`
    ${sql.table(table)} where ${ofIntegration} and (${columns}) <= (
      select ${columns} from (
        select ${columns} from ${sql.table(table)} where ${ofIntegration} order by ${columns} limit ${limit}) first
      order by ${backwards} limit 1)`
}
