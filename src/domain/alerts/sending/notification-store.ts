import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { anyOf } from '../../../runtime/db/lists/any-of.ts'
import { hasRows } from '../../../runtime/db/rows/has-rows.ts'

/** One message to one channel. While it collects, there is one of each channel, and everything is put to that. */
export interface Notification {
  id: number
  key: string
  channel_id: number
  state: 'collecting' | 'sending' | 'sent' | 'failed'
}

export interface Item {
  attentionId: number
  what: 'opened' | 'closed'
}

export async function putItems(
  trx: Db,
  channel: { id: number },
  { items, dueAt }: { items: readonly Item[]; dueAt: Date },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into alert_notifications (channel_id, due_at) values (${channel.id}, ${dueAt.toISOString()})
    on conflict (channel_id) where state = 'collecting'
    do update set due_at = least(alert_notifications.due_at, excluded.due_at)
    returning id`.execute(trx)
  await sql`
    insert into alert_items (notification_id, attention_id, what)
    select ${rows[0]?.id ?? 0}, attention_id, what
    from jsonb_to_recordset(${JSON.stringify(items.map(({ attentionId, what }) => ({ attention_id: attentionId, what })))}::jsonb)
      r(attention_id bigint, what text)
    on conflict do nothing`.execute(trx)
}

/**
 * What collects for these channels stays where it is until the transaction ends. Whoever sends has taken it before, or takes it
 * afterwards: nothing goes out of which it was just decided that it need not be told, nor its end.
 */
export async function holdCollecting(trx: Db, channels: readonly { id: number }[]): Promise<void> {
  await sql`
    select from alert_notifications
    where channel_id = ${anyOf(channels.map(({ id }) => id))} and state = 'collecting' order by channel_id for update`.execute(
    trx,
  )
}

/** Nobody has been told of these yet, and nobody will be. */
export async function dropUntold(trx: Db, attentionIds: readonly number[]): Promise<void> {
  await sql`
    delete from alert_items i using alert_notifications n
    where i.attention_id = ${anyOf(attentionIds)} and n.id = i.notification_id and n.state = 'collecting'`.execute(trx)
}

/** Which channels have been told, or are being told, of which of these. */
export async function toldOf(trx: Db, attentionIds: readonly number[]): Promise<Map<number, number[]>> {
  if (attentionIds.length === 0) return new Map()
  const { rows } = await sql<{ channel_id: number; ids: number[] }>`
    select n.channel_id, array_agg(i.attention_id order by i.attention_id) as ids
    from alert_items i join alert_notifications n on n.id = i.notification_id
    where i.attention_id = ${anyOf(attentionIds)} and i.what = 'opened' and n.state in ('sending', 'sent')
    group by 1`.execute(trx)
  return new Map(rows.map(({ channel_id: channelId, ids }) => [channelId, ids]))
}

const isDue = sql`state = 'collecting' and due_at <= now()`

export async function hasDueNotifications(db: Db): Promise<boolean> {
  return await hasRows(db, sql`select from alert_notifications where ${isDue}`)
}

/** Those whose time has come: from now on nothing more is put to them. Empty ones go. */
export async function takeDue(trx: Db, limit: number): Promise<Notification[]> {
  const { rows } = await sql<Notification>`
    with due as (
      select id from alert_notifications where ${isDue}
      order by due_at limit ${limit} for update skip locked
    )
    update alert_notifications n set state = 'sending' from due where n.id = due.id
    returning n.id, n.key, n.channel_id, n.state`.execute(trx)
  if (rows.length === 0) return []
  // Only now: what was put to one of them until it was taken is seen by the next statement.
  const { rows: gone } = await sql<{ id: number }>`
    delete from alert_notifications n where id = ${anyOf(rows.map(({ id }) => id))}
      and not exists (select from alert_items i where i.notification_id = n.id)
    returning id`.execute(trx)
  const empty = new Set(gone.map(({ id }) => id))
  return rows.filter(({ id }) => !empty.has(id))
}

export async function findNotification(db: Db, id: number): Promise<Notification | null> {
  const { rows } = await sql<Notification>`
    select id, key, channel_id, state from alert_notifications where id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function itemsOf(db: Db, notificationId: number): Promise<Item[]> {
  const { rows } = await sql<Item>`
    select attention_id as "attentionId", what from alert_items where notification_id = ${notificationId}`.execute(db)
  return rows
}

/** What this message brings up and its channel has been told to be over: by a later one, while this one was still tried. */
export async function toldOver(db: Db, { id, channel_id: channelId }: Notification): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select over.attention_id as id
    from alert_items own join alert_items over on over.attention_id = own.attention_id and over.what = 'closed'
    join alert_notifications n on n.id = over.notification_id
    where own.notification_id = ${id} and own.what = 'opened' and n.channel_id = ${channelId} and n.state = 'sent'`.execute(
    db,
  )
  return new Set(rows.map((row) => row.id))
}

/** Messages to this channel that told of some of these, and of nothing that is still open: by their keys. */
export async function resolvedKeys(db: Db, channelId: number, attentionIds: readonly number[]): Promise<string[]> {
  if (attentionIds.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    select n.key from alert_notifications n
    where n.channel_id = ${channelId} and n.id in (
      select notification_id from alert_items where attention_id = ${anyOf(attentionIds)} and what = 'opened')
      and not exists (
        select from alert_items i join attentions a on a.id = i.attention_id
        where i.notification_id = n.id and i.what = 'opened' and a.closed_at is null)
    order by n.id`.execute(db)
  return rows.map(({ key }) => key)
}

export async function settleNotification(
  db: Db,
  id: number,
  { state, error }: { state: 'sending' | 'sent' | 'failed'; error: string | null },
): Promise<void> {
  await sql`
    update alert_notifications set state = ${state}, error = ${error}, attempts = attempts + 1,
      sent_at = case when ${state} = 'sent' then now() end
    where id = ${id}`.execute(db)
}
