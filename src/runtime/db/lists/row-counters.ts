import { sql } from 'kysely'
import type { Db } from '../connection.ts'

/**
 * How many rows the lists of one integration hold, kept in the transaction that changes the rows. A row is counted under
 * one or more kinds ('orders', 'orders:open', …): in the total, which is what a list shows, and in ranges of ids, which
 * show where a deep page begins (`paginate-buckets.ts`). Ids are shared by all integrations, so a range is as wide as its
 * rows are apart: the next one begins where the newest is full. A list of a thousand rows is one number, whatever ids it
 * has; a longer one has a number more for each thousand.
 *
 * Ranges are those of the kind that holds all rows of the table ('orders'). Fine ones lie within coarse ones. The first of
 * all, and the first fine one within a coarse one, are not written down: they hold what the others leave.
 */
export interface RangeSizes {
  fine: number
  coarse: number
}
export const rangeSizes: RangeSizes = { fine: 2 ** 10, coarse: 2 ** 17 }

/** Where the total stands. A fine range stands under its first id, a coarse one under `-1 - id`. */
export const totalBucket = -1

export interface CountChange {
  kind: string
  /** The row that came or went. */
  id: number
  by: 1 | -1
}

/**
 * Everybody who changes counted rows of an integration holds this lock until commit. That keeps the counters right
 * (nobody changes a row between our look at it and our write), and as it is taken first, writers queue up instead of
 * blocking each other crosswise. It does not disturb readers or foreign keys. The answer is the transaction's time, as a
 * parameter for statements that may not call now() themselves (Citus); null if the integration's data is gone.
 */
export async function lockCounted(trx: Db, integrationId: number): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    select now() as at from integration_state where integration_id = ${integrationId} for no key update`.execute(trx)
  return rows[0]?.at ?? null
}

interface Counter {
  kind: string
  bucket: number
  n: number
}

/** One statement, whatever the number of changes; another where a list has become empty, or a range full. */
export async function countRows(
  trx: Db,
  integrationId: number,
  changes: readonly CountChange[],
  sizes = rangeSizes,
): Promise<void> {
  const alike = sumUp(changes)
  if (alike.length === 0) return
  const rangesAt = (id: string, coarse: string, fine: string) => sql`
    cross join lateral (
      select -1 - min(b.bucket) as start from row_counters b
      where b.integration_id = ${integrationId} and b.kind = r.list and b.bucket between -1 - ${sql.raw(id)} and -2
    ) ${sql.raw(coarse)}
    cross join lateral (
      select max(b.bucket) as start from row_counters b
      where b.integration_id = ${integrationId} and b.kind = r.list
        and b.bucket > coalesce(${sql.raw(coarse)}.start, 0) and b.bucket <= ${sql.raw(id)}
    ) ${sql.raw(fine)}`
  // Where the first and the last of them lie in the same range, so do all between: as a rule those of a page do.
  const { rows: changed } = await sql<Counter>`
    insert into row_counters as c (integration_id, kind, bucket, n)
    select s.integration_id, counted.kind, range.bucket, sum(counted.n * alike.size)
    from integration_state s
    cross join jsonb_to_recordset(${JSON.stringify(alike)}::jsonb)
      r(list text, kinds text[], by int[], ids bigint[], first bigint, last bigint)
    ${rangesAt('r.first', 'first_coarse', 'first_fine')}
    ${rangesAt('r.last', 'last_coarse', 'last_fine')}
    cross join lateral (
      select (first_coarse.start, first_fine.start) is not distinct from (last_coarse.start, last_fine.start) as together
    ) those
    cross join lateral (select case when those.together then cardinality(r.ids) else 1 end as size) alike
    cross join lateral unnest(case when those.together then r.ids[1:1] else r.ids end) one(id)
    ${rangesAt('one.id', 'coarse', 'fine')}
    cross join lateral unnest(r.kinds, r.by) counted(kind, n)
    cross join lateral (values (${sql.lit(totalBucket)}), (-1 - coarse.start), (fine.start)) range(bucket)
    where s.integration_id = ${integrationId} and range.bucket is not null
    group by 1, 2, 3 having sum(counted.n * alike.size) <> 0
    on conflict (integration_id, kind, bucket) do update set n = c.n + excluded.n
    returning kind, bucket, n`.execute(trx)
  const empty = changed.filter(({ n }) => n === 0)
  if (empty.length > 0) await forgetCounters(trx, integrationId, empty)
  for (const list of listsThatGrew(changes)) await openRange(trx, integrationId, { list, changed, sizes })
}

async function forgetCounters(trx: Db, integrationId: number, counters: readonly Counter[]): Promise<void> {
  await sql`
    delete from row_counters c using jsonb_to_recordset(${JSON.stringify(counters)}::jsonb) r(kind text, bucket bigint)
    where c.integration_id = ${integrationId} and c.kind = r.kind and c.bucket = r.bucket`.execute(trx)
}

const lists = ['orders', 'products', 'shipments'] as const
type List = (typeof lists)[number]

/** The kind under which all rows of the table are counted; its name is the table's. */
const listOf = (kind: string) => kind.split(':')[0]
const listsThatGrew = (changes: readonly CountChange[]): List[] =>
  lists.filter((list) => changes.some(({ kind, by }) => kind === list && by > 0))

const startOf = ({ bucket }: Counter): number =>
  bucket > totalBucket ? bucket : bucket < totalBucket ? totalBucket - bucket : 0

/**
 * Where the newest range is full, the next one begins behind all rows there are. Rows that come later with an id from
 * before (it was taken early) belong to a range before.
 */
async function openRange(
  trx: Db,
  integrationId: number,
  { list, changed, sizes }: { list: List; changed: readonly Counter[]; sizes: RangeSizes },
): Promise<void> {
  const ranges = changed.filter(({ kind }) => kind === list).sort((a, b) => startOf(b) - startOf(a))
  const [newest] = ranges
  if (!newest || newest.n < sizes.fine) return
  const start = startOf(newest)
  const coarse = ranges.find(({ bucket }) => bucket <= totalBucket)
  const first = sql`max(id) + 1`
  const bucket = coarse && coarse.n >= sizes.coarse ? sql`-1 - (${first})` : first
  await sql`
    insert into row_counters (integration_id, kind, bucket, n)
    select s.integration_id, ${list}, next.bucket, 0
    from integration_state s
    cross join (select ${bucket} as bucket from ${sql.table(list)} where integration_id = ${integrationId}) next
    where s.integration_id = ${integrationId} and not exists (
      select from row_counters newer where newer.integration_id = ${integrationId} and newer.kind = ${list}
        and (newer.bucket > ${start} or newer.bucket < -1 - ${start}::bigint))`.execute(trx)
}

/** Rows that came and went alike. */
interface Alike {
  list: string | undefined
  kinds: string[]
  by: number[]
  ids: number[]
  first: number
  last: number
}

export function sumUp(changes: readonly CountChange[]): Alike[] {
  const rows = new Map<string, { list: string | undefined; id: number; counts: Map<string, number> }>()
  for (const { kind, id, by } of changes) {
    const list = listOf(kind)
    const row = rows.get(`${list} ${id}`) ?? { list, id, counts: new Map() }
    row.counts.set(kind, (row.counts.get(kind) ?? 0) + by)
    rows.set(`${list} ${id}`, row)
  }
  const alike = new Map<string, Alike>()
  for (const { list, id, counts } of rows.values()) {
    const changed = [...counts].filter(([, by]) => by !== 0)
    if (changed.length === 0) continue
    const kinds = changed.map(([kind]) => kind)
    const by = changed.map(([, n]) => n)
    const key = `${kinds} ${by}`
    const group = alike.get(key) ?? { list, kinds, by, ids: [], first: id, last: id }
    group.ids.push(id)
    group.first = Math.min(group.first, id)
    group.last = Math.max(group.last, id)
    alike.set(key, group)
  }
  return [...alike.values()]
}

/** For `ListScope.total`. */
export const countedTotal = (integrationId: number, kinds: readonly string[]) => ({
  sql: `coalesce((select sum(n) from row_counters where integration_id = ? and kind = any(?::text[]) and bucket = ${totalBucket}), 0)`,
  params: [integrationId, kinds],
})
