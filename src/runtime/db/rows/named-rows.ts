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
): RawBuilder<unknown> => lookedUp(table, integrationId, 'remote_id', sql`${[...new Set(remoteIds)]}::text[]`)

/** The same of what belongs to these orders of ours, of which each may have several. */
export const rowsOfOrders = (
  table: 'shipments',
  integrationId: number,
  orderIds: readonly number[],
): RawBuilder<unknown> => lookedUp(table, integrationId, 'order_id', sql`${[...new Set(orderIds)]}::bigint[]`)

/** `offset 0` keeps the planner from making one question of it. */
const lookedUp = (table: string, integrationId: number, key: string, wanted: RawBuilder<unknown>) => sql`
  unnest(${wanted}) named(wanted)
    cross join lateral (
      select * from ${sql.table(table)} r where r.integration_id = ${integrationId} and r.${sql.ref(key)} = named.wanted offset 0
    ) found`
