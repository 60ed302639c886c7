import { type RawBuilder, sql } from 'kysely'

/**
 * Those rows of an integration that bear one of these ids of the shop, in the place of a table: each is looked up by its whole key. Asked for
 * `remote_id = any(…)` the planner chooses, and of a shop that the statistics do not know yet it expects a handful of rows: then it goes through
 * all that the shop has, for each page of a first sync.
 */
export const namedRows = (
  table: 'orders' | 'products',
  integrationId: number,
  remoteIds: readonly string[],
): RawBuilder<unknown> => sql`
  unnest(${[...new Set(remoteIds)]}::text[]) named(wanted)
    cross join lateral (
      select * from ${sql.table(table)} r where r.integration_id = ${integrationId} and r.remote_id = named.wanted limit 1
    ) found`

/** The same of what belongs to these orders of ours, of which each may have several. `offset 0` keeps the planner from making one question of it. */
export const rowsOfOrders = (
  table: 'shipments',
  integrationId: number,
  orderIds: readonly number[],
): RawBuilder<unknown> => sql`
  unnest(${[...new Set(orderIds)]}::bigint[]) named(wanted)
    cross join lateral (
      select * from ${sql.table(table)} r where r.integration_id = ${integrationId} and r.order_id = named.wanted offset 0
    ) found`
