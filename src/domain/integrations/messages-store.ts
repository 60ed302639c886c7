import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { type MessageState, oftenMinutes } from './reading.ts'

/** How the messages of a shop come in, as its integration shows it, and what follows when they do not. */

export async function readMessages(db: Db, id: number): Promise<{ state: MessageState; since: string | null }> {
  const { rows } = await sql<{ state: MessageState; since: string | null }>`
    select messages as state, messages_since as since from integrations where id = ${id}`.execute(db)
  return rows[0] ?? { state: 'none', since: null }
}

/**
 * From now on, or since the given time. What is so already stays as it is, with its time. A shop whose messages do not
 * come is asked as often as one that sends none, and not only when it would have been asked anyway; unless somebody has
 * chosen how often.
 */
export async function setMessages(
  db: Db,
  id: number,
  state: MessageState,
  { since = null, unless = [] }: { since?: string | null; unless?: readonly MessageState[] } = {},
): Promise<void> {
  await sql`
    update integrations set messages = ${state}, messages_since = coalesce(${since}::timestamptz, now())
    where id = ${id} and messages <> all(${[state, ...unless]}::text[])`.execute(db)
  if (state === 'late' || state === 'not_arriving') await readWithin(db, id, oftenMinutes)
}

/** One has come: where none came, or nobody knew that any would. */
export async function markArrived(db: Db, id: number, state: MessageState): Promise<void> {
  if (state === 'none') await setMessages(db, id, 'arriving')
  // Whether all of them do shows with the next read.
  if (state === 'not_arriving') await setMessages(db, id, 'late')
}

/** A read has found nothing that no message had reported, and the webhooks are in place. */
export async function markComplete(db: Db, id: number): Promise<void> {
  await sql`
    update integrations set messages = 'arriving', messages_since = now()
    where id = ${id} and messages = 'late' and not exists (
      select from shop_webhooks w
      where w.integration_id = ${id} and (w.last_error is not null or w.registered_at is null))`.execute(db)
}

/**
 * The shop is asked for news no later than that, unless somebody has chosen how often it is asked; where others share its limits, no sooner
 * than its share allows.
 */
export async function readWithin(db: Db, id: number, minutes: number): Promise<void> {
  const at = sql`now() + make_interval(secs =>
    greatest(${minutes * 60}::float8, coalesce((read_share ->> 'selling_seconds')::float8, 0)))`
  await sql`
    update integrations set next_read_at = ${at}
    where id = ${id} and read_every_minutes is null and next_read_at > ${at}`.execute(db)
}

/** The shop is asked for everything that is new as soon as somebody has time. */
export async function readSoon(db: Db, id: number): Promise<void> {
  await sql`
    update integrations set next_read_at = least(next_read_at, now()), catalogue_read_at = null
    where id = ${id}`.execute(db)
}

/** Whether the shop still sends what it should is looked at as soon as somebody has time. */
export async function checkSoon(db: Db, id: number): Promise<void> {
  await sql`
    update shop_webhooks set next_check_at = least(next_check_at, now()) where integration_id = ${id}`.execute(db)
}
