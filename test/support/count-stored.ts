import type { Query } from './many-shops.ts'

/** Under which words a row of these tables is counted. */
const kindsOf = {
  orders: `array['orders', case when acknowledged_at is null then 'orders:open' else 'orders:acknowledged' end, 'orders:' || status]`,
  products: `array['products']`,
} as const

/**
 * Counts rows that were not stored by the program, as if they had come one after the other: 1024 rows a range, 128 of those in a coarse one
 * (`row-counters.ts`).
 */
export async function countStored(
  query: Query,
  table: keyof typeof kindsOf,
  shops: { first: number; count: number },
): Promise<void> {
  const bounds = [shops.first, shops.first + shops.count - 1]
  await query(
    `insert into row_counters (integration_id, kind, bucket, n)
     select integration_id, kind, -1, count(*) from ${table} cross join unnest(${kindsOf[table]}) kind
     where integration_id between $1::bigint and $2::bigint group by integration_id, kind`,
    bounds,
  )
  // Few shops have so many that they fill a range.
  await query(
    `insert into row_counters (integration_id, kind, bucket, n)
     select integration_id, kind, bucket, count(*)
     from (
       select *, min(id) over (partition by integration_id, no >> 17) as coarse, min(id) over (partition by integration_id, no >> 10) as fine
       from (
         select integration_id, id, ${kindsOf[table]} as kinds, row_number() over (partition by integration_id order by id) - 1 as no
         from ${table} where integration_id between $1::bigint and $2::bigint and integration_id in (
           select integration_id from row_counters where kind = '${table}' and bucket = -1 and n > 1024)) numbered
     ) placed
     cross join unnest(kinds) kind
     cross join lateral (values (case when no >> 17 > 0 then -1 - coarse end),
       (case when no >> 10 & 127 > 0 then fine end)) ranges(bucket)
     where bucket is not null
     group by integration_id, kind, bucket`,
    bounds,
  )
}
