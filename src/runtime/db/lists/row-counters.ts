import { sql } from 'kysely'
import type { Db } from '../connection.ts'

/**
 * How many rows the lists of one integration hold, kept in the transaction that changes the rows. A row is counted under
 * one or more kinds ('orders', 'orders:open', …), and under each kind three times: in the total, in a coarse range of
 * ids and in a fine one. The total is what a list shows; the ranges show where a deep page begins
 * (`paginate-buckets.ts`). Two sizes of range, because ids are shared by all integrations: the rows of one may be spread
 * so thin that there are nearly as many fine ranges as rows.
 */
export const fineBits = 10
export const coarseBits = 17
/** Where the total stands. */
export const totalBucket = -1

const fineSize = 2 ** fineBits
const coarseSize = 2 ** coarseBits

const fineBucket = (id: number): number => Math.floor(id / fineSize)
/** Counted downwards from -2, so that total, coarse and fine ranges share one column. */
const coarseBucket = (id: number): number => -2 - Math.floor(id / coarseSize)

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

/** One statement, whatever the number of changes. */
export async function countRows(trx: Db, integrationId: number, changes: readonly CountChange[]): Promise<void> {
  const sums = sumUp(changes)
  if (sums.length === 0) return
  await sql`
    insert into row_counters as c (integration_id, kind, bucket, n)
    select s.integration_id, r.kind, r.bucket, r.n
    from integration_state s
    cross join jsonb_to_recordset(${JSON.stringify(sums)}::jsonb) r(kind text, bucket bigint, n bigint)
    where s.integration_id = ${integrationId}
    on conflict (integration_id, kind, bucket) do update set n = c.n + excluded.n`.execute(trx)
}

interface Sum {
  kind: string
  bucket: number
  n: number
}

export function sumUp(changes: readonly CountChange[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { kind, id, by } of changes) {
    for (const bucket of [totalBucket, coarseBucket(id), fineBucket(id)]) {
      const key = `${kind}/${bucket}`
      const sum = sums.get(key) ?? { kind, bucket, n: 0 }
      sum.n += by
      sums.set(key, sum)
    }
  }
  return [...sums.values()].filter((sum) => sum.n !== 0)
}

/** For `ListScope.total`. */
export const countedTotal = (integrationId: number, kinds: readonly string[]) => ({
  sql: `coalesce((select sum(n) from row_counters where integration_id = ? and kind = any(?::text[]) and bucket = ${totalBucket}), 0)`,
  params: [integrationId, kinds],
})
