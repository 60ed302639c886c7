import { sql } from 'kysely'
import type { Reason } from '../../../lib/words/wording.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { DeliveryState } from '../delivery.ts'
import { isDeliverable } from '../hold-store.ts'
import { sealAnswers } from '../sealed-answer.ts'

/** What senders do to deliveries. Several may run: what one has claimed no other takes before the lease is over. */

export interface ClaimedDelivery {
  id: number
  webhook_id: number
  event_id: number
  /** Whose news it is; null for news of an app. */
  integration_id: number | null
  type: string
  data: string
  created_at: string
  /** Which attempt this is, and its fence. */
  attempt: number
  /** Before this one. */
  failures: number
  replayed: boolean
}

/** Where a webhook's deliveries go, and what signs them. */
export interface Target {
  id: number
  app_id: number | null
  url: string
  secret: Buffer
  old_secrets: Buffer[]
  failing: boolean
  thin: boolean
}

export interface Wanted {
  webhookId: number
  limit: number
  /** Of payloads: what lies beyond stays where it is, but for the first. */
  maxBytes: number
}

export interface ClaimedBatch {
  deliveries: ClaimedDelivery[]
  /** How many rows were looked at, by webhook: as many as asked for means that there may be more. */
  seen: Map<number, number>
}

/** Longer than an attempt may take (15 s) with the wait before it (see `claimed-ahead.ts`) and the writing down after it. */
const leaseSeconds = 25

/**
 * Takes what is due, so many of each webhook at most. Of one subject only the first that is open is taken; one behind it
 * waits as long as that does, so that it is not looked at again and again. What is still held counts as open: it is let
 * go in a moment, and comes first. What has nothing to say any longer, as its event was dropped before it, is called off: it
 * would come first for ever.
 */
export async function claimDeliveries(db: Db, wanted: readonly Wanted[]): Promise<ClaimedBatch> {
  const { rows } = await sql<ClaimedDelivery & { seen: number; free: boolean }>`
    with picked as (
      select d.id, d.webhook_id, d.subject, d.due_at, d.event_id, wanted.max_bytes
      from unnest(${wanted.map(({ webhookId }) => webhookId)}::bigint[], ${wanted.map(({ limit }) => limit)}::int[],
        ${wanted.map(({ maxBytes }) => maxBytes)}::int[]) as wanted (webhook_id, max_count, max_bytes)
      join webhook_subscriptions w on w.id = wanted.webhook_id and ${isDeliverable}
      cross join lateral (
        select id, webhook_id, subject, due_at, event_id from webhook_deliveries
        where webhook_id = wanted.webhook_id and state = 'pending' and due_at <= now()
        order by due_at, id limit wanted.max_count for update skip locked
      ) d
    ), measured as (
      select picked.id, picked.webhook_id, picked.subject, picked.max_bytes, event.integration_id, event.data,
        event.created_at, event.created_at is null as is_empty,
        count(*) over (partition by picked.webhook_id) as seen,
        sum(octet_length(event.data)) over (partition by picked.webhook_id order by picked.due_at, picked.id
          rows between unbounded preceding and 1 preceding) as bytes_before
      -- By index, whatever is thought of how many were picked.
      from picked left join lateral (
        select integration_id, data, created_at from webhook_events where id = picked.event_id offset 0) event on true
    ), judged as (
      select picked.*, before.due_at as open_until, not picked.is_empty and before.id is null and not exists (
          select from webhook_deliveries held
          where held.webhook_id = picked.webhook_id and held.subject = picked.subject and held.state = 'held'
            and held.id < picked.id) as free
      from measured picked left join lateral (
        select id, due_at from webhook_deliveries
        where webhook_id = picked.webhook_id and subject = picked.subject and state = 'pending' and id < picked.id
        order by id limit 1
      ) before on true
      where picked.bytes_before is null or picked.bytes_before < picked.max_bytes
    )
    update webhook_deliveries d
    set state = case when judged.is_empty then 'cancelled' else d.state end,
      due_at = case when judged.free then now() + make_interval(secs => ${leaseSeconds}::int)
        else greatest(judged.open_until, now() + interval '1 second') end,
      lease_until = case when judged.free then now() + make_interval(secs => ${leaseSeconds}::int) end,
      attempts = d.attempts + judged.free::int
    from judged where d.id = judged.id
    returning d.id, d.webhook_id, d.event_id, d.type, d.attempts as attempt, d.failures, d.replayed, judged.free,
      judged.seen, judged.integration_id, judged.data, judged.created_at`.execute(db)
  const seen = new Map(rows.map((row) => [row.webhook_id, row.seen]))
  const deliveries = rows
    .filter(({ free }) => free)
    .map(({ free: _, seen: __, ...delivery }) => delivery)
    .sort((one, other) => one.id - other.id)
  return { deliveries, seen }
}

/** Where these webhooks' deliveries go now; of those that are sent nothing there is none. */
export async function findTargets(db: Db, webhookIds: readonly number[]): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select w.id, w.app_id, w.url, w.secret, w.failing_since is not null as failing, w.thin,
      array(select o.secret from webhook_old_secrets o where o.webhook_id = w.id and o.expires_at > now()
        order by o.id desc) as old_secrets
    from webhook_subscriptions w where w.id = any(${[...webhookIds]}::bigint[]) and ${isDeliverable}`.execute(db)
  return rows
}

/** How an attempt ended. */
export interface Settlement {
  id: number
  integrationId: number | null
  attempt: number
  state: Extract<DeliveryState, 'delivered' | 'pending' | 'failed'>
  /** Seconds until the next attempt. */
  delay: number
  trigger: 'schedule' | 'replay'
  status: number | null
  body: string | null
  error: string | null
  /** What the error follows from, where it is not the status. */
  reason: Reason | null
  ms: number
  at: string
}

/**
 * Writes down how attempts ended. One that was overtaken counts only if it got through. What waited behind one that is
 * over is due now, also what a claim is putting behind it at this moment: that is waited for, or it would lie there as long
 * as the lease of what is over. The answer names the webhooks where something did.
 */
export async function settleDeliveries(db: Db, settlements: readonly Settlement[]): Promise<number[]> {
  const answers = await sealAnswers(
    db,
    settlements.map(({ id: delivery, attempt, integrationId, body }) => ({ delivery, attempt, integrationId, body })),
  )
  const reported = settlements.map(({ integrationId, body, ...settlement }, n) => ({
    ...settlement,
    integration: integrationId,
    // News of webhooks name nobody, and so does what is answered to them.
    body: integrationId === null ? body : null,
    private: answers[n]?.toString('hex'),
  }))
  const { rows } = await sql<{ webhook_id: number }>`
    with reported as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) r(
        id bigint, attempt int, integration bigint, state text, delay float8, trigger text, status int, body text, private text, error text,
        reason jsonb, ms int, at timestamptz)
    ), settled as (
      update webhook_deliveries d
      set state = reported.state, due_at = now() + make_interval(secs => reported.delay), lease_until = null, replayed = false,
        failures = d.failures + (reported.state <> 'delivered')::int, response_status = reported.status, error = reported.error,
        reason = reported.reason, delivered_at = case when reported.state = 'delivered' then now() else d.delivered_at end, updated_at = now()
      from reported
      -- By index, whatever is thought of how many were reported.
      where d.id = any(${settlements.map(({ id }) => id)}::bigint[]) and d.id = reported.id and (
        (d.state = 'pending' and d.attempts = reported.attempt and d.lease_until is not null)
        or (reported.state = 'delivered' and d.state <> 'delivered'))
      returning d.id, d.webhook_id, d.subject, d.state
    ), kept as (
      insert into webhook_attempts
        (delivery_id, number, integration_id, trigger, response_status, response_body, private_body, error, reason, duration_ms, at)
      select reported.id, reported.attempt, reported.integration, reported.trigger, reported.status, reported.body, decode(reported.private, 'hex'),
        reported.error, reported.reason, reported.ms, reported.at
      from reported join settled on settled.id = reported.id
      on conflict do nothing
    )
    update webhook_deliveries next set due_at = least(next.due_at, now())
    from settled cross join lateral (
      select id from webhook_deliveries
      where webhook_id = settled.webhook_id and subject = settled.subject and state = 'pending' and id > settled.id
      order by id limit 1) behind
    where settled.state <> 'pending' and next.id = behind.id and next.lease_until is null
    returning next.webhook_id`.execute(db)
  return rows.map(({ webhook_id }) => webhook_id)
}

type Claim = Pick<ClaimedDelivery, 'id' | 'attempt'>

/** For a sender that stops: what it has not finished is due for the others at once. */
export async function giveBack(db: Db, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  await sql`
    update webhook_deliveries d set due_at = now(), lease_until = null
    from ${listOf(claims)}
    where d.id = claim.id and d.attempts = claim.attempt and d.state = 'pending' and d.lease_until is not null`.execute(
    db,
  )
}

/** What was claimed and never sent: no attempt was made, and none is counted. Held meanwhile, it stays held. */
export async function giveBackUnsent(db: Db, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  await sql`
    update webhook_deliveries d set attempts = d.attempts - 1, lease_until = null,
      due_at = case when d.lease_until is null then d.due_at else now() end
    from ${listOf(claims)}
    where d.id = claim.id and d.attempts = claim.attempt and d.state <> 'delivered'`.execute(db)
}

const listOf = (claims: readonly Claim[]) => sql`
  unnest(${claims.map(({ id }) => id)}::bigint[], ${claims.map(({ attempt }) => attempt)}::int[]) as claim (id, attempt)`

/**
 * The webhooks that have something due, and whether they may be sent it. From one to the next by index, however much each
 * of them has.
 */
export async function dueWebhooks(db: Db): Promise<{ deliverable: number[]; muted: number[] }> {
  const { rows } = await sql<{ id: number; is_deliverable: boolean }>`
    with recursive webhook (id) as (
      (select webhook_id from webhook_deliveries where state = 'pending' order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_deliveries
        where state = 'pending' and webhook_id > webhook.id order by webhook_id limit 1)
      from webhook where webhook.id is not null
    )
    select w.id, ${isDeliverable} as is_deliverable from webhook join webhook_subscriptions w on w.id = webhook.id
    where exists (
      select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending' and d.due_at <= now())`.execute(
    db,
  )
  const { deliverable = [], muted = [] } = Object.groupBy(rows, (row) => (row.is_deliverable ? 'deliverable' : 'muted'))
  return { deliverable: deliverable.map(({ id }) => id), muted: muted.map(({ id }) => id) }
}

const maxCounted = 100_000

/** How many are due; so many at most. */
export async function countDue(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from webhook_deliveries where state = 'pending' and due_at <= now() limit ${maxCounted}) due`.execute(db)
  return rows[0]?.n ?? 0
}

/** What the latest attempts say about the webhooks. The answer names those that have failed for five days. */
export async function markHealth(
  db: Db,
  { working, failing }: { working: readonly number[]; failing: readonly number[] },
): Promise<number[]> {
  if (working.length > 0) {
    await sql`update webhook_subscriptions set failing_since = null
      where id = any(${[...working]}::bigint[]) and failing_since is not null`.execute(db)
  }
  if (failing.length === 0) return []
  const { rows } = await sql<{ id: number; overdue: boolean }>`
    update webhook_subscriptions set failing_since = coalesce(failing_since, now())
    where id = any(${[...failing]}::bigint[]) and disabled_at is null
      and (failing_since is null or failing_since < now() - interval '5 days')
    returning id, failing_since < now() - interval '5 days' as overdue`.execute(db)
  const overdue = rows.flatMap((row) => (row.overdue ? [row.id] : []))
  return overdue.length === 0 ? [] : await withoutSuccess(db, overdue)
}

/** A success that was claimed before the first failure was written down has not been noticed: it counts all the same. */
async function withoutSuccess(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update webhook_subscriptions w set failing_since = now()
    where w.id = any(${[...ids]}::bigint[]) and exists (
      select from webhook_deliveries d where d.webhook_id = w.id and d.delivered_at > w.failing_since)
    returning w.id`.execute(db)
  const working = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !working.has(id))
}
