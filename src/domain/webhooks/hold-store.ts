import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/**
 * What waits for a webhook that is sent nothing is held. Whoever switches a webhook, or writes an event, sees to that as
 * far as they see each other; an app that is switched, and transactions that crossed, are found by looking. So webhook and
 * app alone decide, and nothing stays held by mistake.
 */

/** Of `w`, a webhook: whether it is sent anything. An app that is switched off is sent nothing, just as it may ask nothing. */
export const isDeliverable = sql`(w.active and w.disabled_at is null and w.deleted_at is null and w.listens_until is null
  and not exists (select from apps a where a.id = w.app_id and not a.active))`

export async function isAppOff(db: Db, appId: number): Promise<boolean> {
  const { rows } = await sql<{ off: boolean }>`select not active as off from apps where id = ${appId}`.execute(db)
  return rows[0]?.off ?? false
}

/** Of each webhook at a time; the rest has its turn when somebody looks again. */
const maxBatch = 10_000

/** Holds what is pending for webhooks that are sent nothing. */
export async function holdPending(db: Db, muted: readonly number[]): Promise<void> {
  if (muted.length === 0) return
  await sql`
    update webhook_deliveries set state = 'held', lease_until = null, updated_at = now()
    where id in (
      select d.id from unnest(${[...muted]}::bigint[]) as muted (id)
      cross join lateral (
        select id from webhook_deliveries where webhook_id = muted.id and state = 'pending'
        limit ${maxBatch} for update skip locked
      ) d)`.execute(db)
}

/** Lets go what is held for webhooks that are sent everything; what their endpoints did before is forgotten. */
export async function releaseHeld(db: Db): Promise<void> {
  const deliverable = await heldButDeliverable(db)
  if (deliverable.length === 0) return
  await sql`
    update webhook_subscriptions set failing_since = null
    where id = any(${deliverable}::bigint[]) and failing_since is not null`.execute(db)
  await sql`
    update webhook_deliveries set state = 'pending', due_at = now(), failures = 0, updated_at = now()
    where id in (
      select d.id from unnest(${deliverable}::bigint[]) as deliverable (id)
      cross join lateral (
        select id from webhook_deliveries where webhook_id = deliverable.id and state = 'held'
        limit ${maxBatch} for update skip locked
      ) d)`.execute(db)
}

/** From one webhook to the next by index, however much is held for each of them. */
async function heldButDeliverable(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive webhook (id) as (
      (select webhook_id from webhook_deliveries where state = 'held' order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_deliveries
        where state = 'held' and webhook_id > webhook.id order by webhook_id limit 1)
      from webhook where webhook.id is not null
    )
    select w.id from webhook join webhook_subscriptions w on w.id = webhook.id where ${isDeliverable}`.execute(db)
  return rows.map(({ id }) => id)
}
