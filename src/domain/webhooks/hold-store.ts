import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/**
 * What waits for a webhook that is sent nothing is held. Whoever switches a webhook, or writes an event, sees to that as
 * far as they see each other; an app that is switched, and transactions that crossed, are found by looking. So webhook and
 * app alone decide, and nothing stays held by mistake.
 */

/** Of `w`, a webhook: whether it is sent anything. An app that is switched off is told as little as it may ask. */
export const speaks = sql`(w.active and w.disabled_at is null and w.deleted_at is null
  and not exists (select from apps a where a.id = w.app_id and not a.active))`

export async function isAppOff(db: Db, appId: number): Promise<boolean> {
  const { rows } = await sql<{ off: boolean }>`select not active as off from apps where id = ${appId}`.execute(db)
  return rows[0]?.off ?? false
}

/** Of each webhook at a time; the rest has its turn when somebody looks again. */
const maxBatch = 10_000

/** Holds what is pending for webhooks that are sent nothing. */
export async function holdPending(db: Db, silent: readonly number[]): Promise<void> {
  if (silent.length === 0) return
  await sql`
    update webhook_deliveries set state = 'held', lease_until = null, updated_at = now()
    where id in (
      select d.id from unnest(${[...silent]}::bigint[]) as silent (id)
      cross join lateral (
        select id from webhook_deliveries where webhook_id = silent.id and state = 'pending'
        limit ${maxBatch} for update skip locked
      ) d)`.execute(db)
}

/** Lets go what is held for webhooks that are sent everything; what their endpoints did before is forgotten. */
export async function releaseHeld(db: Db): Promise<void> {
  const speaking = await heldSpeaking(db)
  if (speaking.length === 0) return
  await sql`
    update webhook_subscriptions set failing_since = null
    where id = any(${speaking}::bigint[]) and failing_since is not null`.execute(db)
  await sql`
    update webhook_deliveries set state = 'pending', due_at = now(), failures = 0, updated_at = now()
    where id in (
      select d.id from unnest(${speaking}::bigint[]) as speaking (id)
      cross join lateral (
        select id from webhook_deliveries where webhook_id = speaking.id and state = 'held'
        limit ${maxBatch} for update skip locked
      ) d)`.execute(db)
}

/** From one webhook to the next by index, however much is held for each of them. */
async function heldSpeaking(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive webhook (id) as (
      (select webhook_id from webhook_deliveries where state = 'held' order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_deliveries
        where state = 'held' and webhook_id > webhook.id order by webhook_id limit 1)
      from webhook where webhook.id is not null
    )
    select w.id from webhook join webhook_subscriptions w on w.id = webhook.id where ${speaks}`.execute(db)
  return rows.map(({ id }) => id)
}
