import { sql } from 'kysely'
import { notifyTogether } from '../../runtime/db/commit/notify-together.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { EventType, NewEvent } from './event.ts'

/** On which senders are notified that a webhook has something to send; the payload is its id. */
export const deliveryChannel = 'entrepot_deliveries'

/**
 * Webhooks that listen: of the integration (version 1.0) or of its app. One that was disabled still collects for a month,
 * so that whoever repairs it has lost nothing; and so do those of an app that is switched off. Somebody who listens at a
 * command line (`listens_until`) is sent nothing: events are held, and read.
 */
const listening = sql`
  w.deleted_at is null and w.active and (w.disabled_at is null or w.disabled_at > now() - interval '30 days')
  and (w.listens_until is null or w.listens_until > now())`

/** Of a webhook of an app: all shops where it names none, and what concerns no shop is told to everybody. */
const hears = (integration: ReturnType<typeof sql>) =>
  sql`(w.integration_ids is null or ${integration} is null or ${integration} = any(w.integration_ids))`

/** Which of these types anybody subscribes to for this integration: asked before a page of events is put together. */
export async function subscribedTypes(
  trx: Db,
  integrationId: number,
  types: readonly EventType[],
): Promise<ReadonlySet<EventType>> {
  const { rows } = await sql<{ event: string | null; events: string[] }>`
    select w.event, w.events from webhook_subscriptions w where w.integration_id = ${integrationId} and ${listening}
    union all
    select w.event, w.events from webhook_subscriptions w
    where w.app_id = (select app_id from integrations where id = ${integrationId})
      and w.integration_id is null and ${listening} and ${hears(sql`${integrationId}::bigint`)}`.execute(trx)
  const wanted = new Set(rows.flatMap(({ event, events }) => (event === null ? events : [event])))
  return new Set(wanted.has('*') ? types : types.filter((type) => wanted.has(type)))
}

/** Of `t`, something that happened, and `l`, a listener. That it was disabled a webhook is not told itself. */
const isSubscribed = sql`
  l.integration_id is not distinct from t.integration_id and l.app_id is not distinct from t.app_id
  and (l.event = t.type or t.type = any(l.events) or '*' = any(l.events))
  and (t.type <> 'webhook.disabled' or t.subject <> 'webhook:' || l.webhook_id)`

/**
 * Writes down what has happened, and a delivery for each webhook that listens, in the caller's transaction: one statement,
 * however many they are. What nobody listens to leaves nothing behind.
 */
export async function emitEvents(trx: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const document = JSON.stringify(
    events.map(({ type, about, subject, data }, place) => ({
      place,
      type,
      subject,
      data: JSON.stringify(data),
      integration_id: 'integrationId' in about ? about.integrationId : null,
      app_id: 'appId' in about ? about.appId : null,
    })),
  )
  const { rows } = await sql<{ webhook_id: number }>`
    with incoming as (
      select r.place, r.type, r.subject, r.data, r.integration_id, coalesce(i.app_id, r.app_id) as app_id
      from jsonb_to_recordset(${document}::jsonb)
        r(place int, type text, subject text, data text, integration_id bigint, app_id bigint)
      left join integrations i on i.id = r.integration_id
    ), owners as (
      select o.integration_id, o.app_id, coalesce(not a.active, false) as off
      from (select distinct integration_id, app_id from incoming) o left join apps a on a.id = o.app_id
    ), listeners as (
      select o.integration_id, o.app_id, w.id as webhook_id, w.event, w.events,
        o.off or w.disabled_at is not null or w.listens_until is not null as muted
      from owners o join webhook_subscriptions w on w.integration_id = o.integration_id and ${listening}
      union all
      select o.integration_id, o.app_id, w.id, w.event, w.events,
        o.off or w.disabled_at is not null or w.listens_until is not null
      from owners o join webhook_subscriptions w on w.app_id = o.app_id and w.integration_id is null and ${listening}
        and ${hears(sql.ref('o.integration_id'))}
    ), numbered as materialized (
      select nextval('webhook_events_id_seq') as id, t.*
      from (select * from incoming t where exists (select from listeners l where ${isSubscribed}) order by place) t
    ), kept as (
      insert into webhook_events (id, app_id, integration_id, type, subject, data)
      select id, app_id, integration_id, type, subject, data from numbered
    ), made as (
      insert into webhook_deliveries (webhook_id, event_id, type, subject, state)
      select l.webhook_id, t.id, t.type, t.subject, case when l.muted then 'held' else 'pending' end
      from numbered t cross join lateral (select webhook_id, muted from listeners l where ${isSubscribed} offset 0) l
      order by t.id
      returning webhook_id, state
    )
    select distinct webhook_id from made where state = 'pending'`.execute(trx)
  wakeSenders(
    trx,
    rows.map(({ webhook_id: id }) => id),
  )
}

/** They look around every second as well. */
export const wakeSenders = (trx: Db, webhookIds: readonly number[]): void =>
  notifyTogether(trx, deliveryChannel, webhookIds.map(String))

/** A message that goes to one webhook and to nobody else. The id of its delivery. */
export async function emitTo(
  trx: Db,
  webhook: { id: number; app_id: number | null; integration_id: number | null },
  { type, data }: { type: string; data: object },
  state: 'pending' | 'held' = 'pending',
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with event as (
      insert into webhook_events (app_id, integration_id, type, subject, data)
      values (${webhook.app_id}, ${webhook.integration_id}, ${type}, ${`webhook:${webhook.id}`}, ${JSON.stringify(data)})
      returning id, type, subject
    )
    insert into webhook_deliveries (webhook_id, event_id, type, subject, state)
    select ${webhook.id}, id, type, subject, ${state} from event
    returning id`.execute(trx)
  if (state === 'pending') wakeSenders(trx, [webhook.id])
  return rows[0]?.id ?? 0
}
