import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { afterReport, Bucket } from './budget.ts'
import type { KnownLimit } from './share-out.ts'

/** Tokens that were taken in advance are void after this: so long the bucket holds less. */
export const leaseSeconds = 1

export interface Taking extends Bucket {
  cost: number
  /** Share of the bucket that must be left. */
  reserve: number
  /** Taken on top if more than half would still be left. */
  spare: number
  /** Asks a shop as well that is believed to be down. */
  probes: boolean
}

export interface Taken {
  granted: number
  tokens: number
  capacity: number
  perSecond: number
  /** Until when the platform has blocked us. */
  blockedSeconds: number
  /** The shop is believed to be down. */
  paused: boolean
  /** What the platform has said of a day; null where it never did. */
  perDay: number | null
  dayLeft: number | null
  /** It is time to ask the platform what is left. */
  limitsDue: boolean
  /** Until when its own share of a common bucket has filled, where that was too little. */
  shareSeconds?: number
}

/** Beside the bucket, since it is no matter of tokens: the shop is down, and people may look whether it still is. */
const pauseKey = ({ ownKey }: Pick<Bucket, 'ownKey'>) => `${ownKey}|down`

const leased = sql`case when b.leased_until > now() then b.leased else 0 end`
const filled = sql`least(
  b.capacity - ${leased}, b.tokens + b.per_second * greatest(0, extract(epoch from now() - b.refilled_at)))`

/** All or nothing, in one statement: whoever asks at the same time waits for the row and sees what is left. */
export async function takeTokens(db: Db, taking: Taking): Promise<Taken> {
  return only(await takingOf(taking).execute(db))
}

/** So long after its last question a shop counts among those who want something. */
const sharingMinutes = 15

/**
 * As `takeTokens`, of a bucket that several shops share. While there is plenty it gives to whoever asks; below that, to each
 * what flows in divided by all who have asked lately. What was taken of the plenty is not owed afterwards.
 */
export async function takeShared(db: Db, taking: Taking & { sharer: string; plenty: number }): Promise<Taken> {
  const { key, sharer, cost, plenty } = taking
  const need = (capacity: RawBuilder<unknown>) => sql`least(${cost}::float8, ${capacity})`
  const own = (capacity: RawBuilder<unknown>, perSecond: RawBuilder<unknown>) => {
    const full = sql`greatest(${capacity} / (select sharers from share), ${need(capacity)})`
    return sql`least(${full}, coalesce((select tokens + ${perSecond} / sharers * seconds from share), ${full}))`
  }
  const mayTake = sql<boolean>`(${filled} > b.capacity * ${plenty}::float8
    or ${own(sql`b.capacity`, sql`b.per_second`)} >= ${need(sql`b.capacity`)} - 0.000001)`
  const ownNow = own(sql`t.capacity`, sql`t."perSecond"`)
  const { rows } = await sql<Taken & { sharers: number; own: number }>`
    with share as (
      select 1 + count(*) filter (where shop <> ${sharer} and wanted_at > now() - make_interval(mins => ${sharingMinutes}))
          as sharers,
        max(tokens) filter (where shop = ${sharer}) as tokens,
        max(refilled_at) filter (where shop = ${sharer}) as refilled_at,
        max(extract(epoch from now() - refilled_at)::float8) filter (where shop = ${sharer}) as seconds
      from budget_shares where key = ${key}
    ), taken as (
      ${takingOf(taking, mayTake)}
    ), paid as (
      insert into budget_shares as s (key, shop, tokens)
      select ${key}, ${sharer}, greatest(0, ${ownNow} - t.granted) from taken t
      on conflict (key, shop) do update set
        -- Where the same shop has asked meanwhile, this comes off what that has left.
        tokens = case when s.refilled_at is distinct from (select refilled_at from share)
          then greatest(0, s.tokens - (select granted from taken)) else excluded.tokens end,
        refilled_at = excluded.refilled_at, wanted_at = excluded.wanted_at
    )
    select t.*, (select sharers from share) as sharers, ${ownNow} as own from taken t`.execute(db)
  const { sharers, own: left, ...taken } = only({ rows })
  const isPlenty = taken.granted > 0 || taken.tokens > taken.capacity * plenty
  const missing = isPlenty ? 0 : Math.max(0, Math.min(cost, taken.capacity) - left)
  return { ...taken, shareSeconds: (missing * sharers) / taken.perSecond }
}

function only<Row>({ rows: [row] }: { rows: readonly Row[] }): Row {
  if (row === undefined) throw new Error('A bucket was neither found nor created.')
  return row
}

function takingOf(taking: Taking, mayTake = sql<boolean>`true`) {
  const { key, capacity, perSecond, cost, reserve, spare, probes } = taking
  const pausedUntil = sql`(select d.blocked_until from rate_budgets d where d.key = ${pauseKey(taking)})`
  const isPaused = sql`coalesce(${pausedUntil} > now(), false)`
  const need = sql`least(${cost}::float8, b.capacity)`
  const kept = sql`least(${reserve}::float8 * b.capacity, b.capacity - ${need})`
  const more = sql`case when ${filled} - ${need} - ${spare}::float8 > b.capacity / 2 then ${spare}::float8 else 0 end`
  // A little tolerance: refilling is reckoned in fractions.
  const open = sql`(b.blocked_until is null or b.blocked_until <= now()) and (${probes} or not ${isPaused})`
  const enough = sql`${open} and ${mayTake} and ${filled} - ${need} >= ${kept} - 0.000001`
  return sql<Taken>`
    insert into rate_budgets as b (key, capacity, per_second, tokens, granted)
    values (${key}, ${capacity}, ${perSecond}, greatest(0, ${capacity}::float8 - ${cost}::float8),
      least(${cost}::float8, ${capacity}::float8))
    on conflict (key) do update set
      tokens = ${filled} - case when ${enough} then ${need} + ${more} else 0 end,
      granted = case when ${enough} then ${need} + ${more} else 0 end,
      leased = ${leased} + case when ${enough} then ${more} else 0 end,
      leased_until = case when ${enough} and ${more} > 0 then now() + make_interval(secs => ${leaseSeconds})
        else b.leased_until end,
      refilled_at = greatest(now(), b.refilled_at)
    returning granted, tokens, capacity, per_second as "perSecond", per_day as "perDay", day_left as "dayLeft",
      coalesce(greatest(0, extract(epoch from greatest(b.blocked_until,
        case when ${probes} then null else ${pausedUntil} end) - now())), 0)::float8 as "blockedSeconds",
      ${isPaused} as paused, coalesce(b.limits_due_at <= now(), true) as "limitsDue"`
}

/** The platform has blocked us for a while. */
export async function blockBucket(db: Db, { key }: Bucket, seconds: number): Promise<void> {
  await sql`
    update rate_budgets b set
      blocked_until = greatest(b.blocked_until, now() + make_interval(secs => ${seconds}::float8)),
      tokens = least(${filled}, 0), refilled_at = greatest(now(), b.refilled_at), limits_due_at = null
    where key = ${key}`.execute(db)
}

/** Whether it is us who ask the platform what is left; nobody else does for an hour. */
export async function claimLimits(db: Db, { key }: Bucket): Promise<boolean> {
  const { rows } = await sql`
    update rate_budgets set limits_due_at = now() + interval '1 hour'
    where key = ${key} and coalesce(limits_due_at <= now(), true) returning key`.execute(db)
  return rows.length > 0
}

/** As the platform itself counts, which counts more than we do. */
export async function setLimit(db: Db, { key }: Bucket, after: ReturnType<typeof afterReport>): Promise<void> {
  const { remaining, perSecond, blockedSeconds, nextSeconds } = after
  await sql`
    update rate_budgets b set
      tokens = least(${filled}, ${remaining}::float8), refilled_at = greatest(now(), b.refilled_at),
      per_second = ${perSecond}::float8, limits_due_at = now() + make_interval(secs => ${nextSeconds}::float8),
      blocked_until = greatest(b.blocked_until, now() + make_interval(secs => nullif(${blockedSeconds}::float8, 0)))
    where key = ${key}`.execute(db)
}

/** The shop is down. */
export async function pauseBucket(db: Db, bucket: Bucket, seconds: number): Promise<void> {
  const { capacity, perSecond } = bucket
  await sql`
    insert into rate_budgets as b (key, capacity, per_second, tokens, granted, blocked_until)
    values (${pauseKey(bucket)}, ${capacity}, ${perSecond}, 0, 0, now() + make_interval(secs => ${seconds}::float8))
    on conflict (key) do update set blocked_until = excluded.blocked_until`.execute(db)
}

/** Somebody has found it back. */
export async function resumeBucket(db: Db, bucket: Bucket): Promise<void> {
  await sql`update rate_budgets set blocked_until = null where key = ${pauseKey(bucket)}`.execute(db)
}

export interface ReportedBudget {
  remaining?: number | undefined
  capacity?: number | undefined
  perSecond?: number | undefined
  perDay?: number | undefined
  dayLeft?: number | undefined
}

/**
 * The platform knows its limits better. What is left is only ever corrected downwards: its answer does not know of
 * requests that are still on their way.
 */
export async function correctBucket(db: Db, { key }: Bucket, reported: ReportedBudget): Promise<void> {
  await sql`
    update rate_budgets b set
      tokens = least(${filled}, ${reported.remaining ?? null}::float8), refilled_at = greatest(now(), b.refilled_at),
      capacity = coalesce(${reported.capacity ?? null}::float8, b.capacity),
      per_second = coalesce(${reported.perSecond ?? null}::float8, b.per_second),
      per_day = coalesce(${reported.perDay ?? null}::float8, b.per_day),
      day_left = coalesce(${reported.dayLeft ?? null}::float8, b.day_left)
    where key = ${key}`.execute(db)
}

/** What is known of these limits, by their keys. */
export async function knownLimits(db: Db, buckets: readonly Bucket[]): Promise<Map<string, KnownLimit>> {
  const { rows } = await sql<KnownLimit & { key: string }>`
    select key, per_second as "perSecond", per_day as "perDay", day_left as "dayLeft" from rate_budgets
    where key = any(${buckets.map(({ key }) => key)}::text[])`.execute(db)
  return new Map(rows.map(({ key, ...known }) => [key, known]))
}

/** Full again long ago. */
export async function deleteIdleBuckets(db: Db): Promise<void> {
  await sql`delete from rate_budgets
    where refilled_at < now() - interval '2 days' and (blocked_until is null or blocked_until < now())`.execute(db)
  await sql`delete from budget_shares where wanted_at < now() - interval '2 days'`.execute(db)
}
