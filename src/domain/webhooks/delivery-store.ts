import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { wakeSenders } from '../events/event-store.ts'
import type { Attempt, Delivery, DeliveryState } from './delivery.ts'
import type { Ranged } from './ranges/range-store.ts'
import { openAnswers } from './sealed-answer.ts'

/** Deliveries as their owner sees them. Who comes here has been let in at the webhook. */

const columns = [
  'id',
  'webhook_id',
  'event_id',
  'type',
  'state',
  'due_at',
  'attempts',
  'response_status',
  'error',
  'reason',
  'delivered_at',
  'created_at',
  'updated_at',
] as const

export const deliveryList: ListPlan = {
  name: 'webhook-deliveries',
  from: 'webhook_deliveries',
  columns: columns.join(', '),
  filters: {
    state: { column: 'state', type: 'text' },
    type: { column: 'type', type: 'text' },
    event_id: { column: 'event_id', type: 'bigint' },
    since: { column: 'created_at', type: 'timestamptz', match: 'from' },
    until: { column: 'created_at', type: 'timestamptz', match: 'to' },
  },
  sorts: { id: 'id', created_at: 'created_at' },
  defaultSort: [{ field: 'id', descending: true }],
}

export const deliveryScope = (webhookId: number): ListScope => ({
  key: 'webhook',
  sql: 'webhook_id = ?',
  params: [webhookId],
})

export async function findDelivery(db: Db, webhookId: number, id: number): Promise<Delivery> {
  return await db
    .selectFrom('webhook_deliveries')
    .select(columns)
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .$narrowType<{ state: DeliveryState }>()
    .executeTakeFirstOrThrow(notFound)
}

/** What the delivery brings, and how it went so far. */
export async function readDelivery(db: Db, delivery: Delivery): Promise<{ data: string; attempts: Attempt[] }> {
  const event = await db
    .selectFrom('webhook_events')
    .select('data')
    .where('id', '=', delivery.event_id)
    .executeTakeFirstOrThrow(notFound)
  const attempts = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', delivery.id)
    .orderBy('number')
    .$narrowType<{ trigger: Attempt['trigger'] }>()
    .execute()
  return { data: event.data, attempts: await openAnswers(db, attempts) }
}

/** As if it were new, under the same id. One that is being sent at this moment is left to that. */
export async function restartDelivery(db: Db, webhookId: number, id: number): Promise<Delivery> {
  await sql`
    update webhook_deliveries set state = 'pending', due_at = now(), failures = 0, replayed = true, updated_at = now()
    where id = ${id} and webhook_id = ${webhookId} and lease_until is null`.execute(db)
  wakeSenders(db, [webhookId])
  return await findDelivery(db, webhookId, id)
}

export const maxReplayed = 10_000

/** The first ten thousand, oldest first. How many. */
export async function restartDeliveries(
  db: Db,
  webhookId: number,
  { since, until, states }: { since: string; until: string | null; states: readonly DeliveryState[] },
): Promise<number> {
  const result = await sql`
    update webhook_deliveries set state = 'pending', due_at = now(), failures = 0, replayed = true, updated_at = now()
    where id in (
      select id from webhook_deliveries
      where webhook_id = ${webhookId} and state = any(${[...states]}::text[]) and created_at >= ${since}::timestamptz
        and (${until}::timestamptz is null or created_at < ${until}::timestamptz)
      order by id limit ${maxReplayed} for update skip locked)`.execute(db)
  wakeSenders(db, [webhookId])
  return Number(result.numAffectedRows ?? 0n)
}

/** What is to be sent waits until the webhook is there again. */
export async function holdDeliveries(trx: Db, webhookId: number): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'held', lease_until = null, updated_at = now()
    where webhook_id = ${webhookId} and state = 'pending'`.execute(trx)
}

export async function releaseDeliveries(trx: Db, webhookId: number): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'pending', due_at = now(), failures = 0, updated_at = now()
    where webhook_id = ${webhookId} and state = 'held'`.execute(trx)
  wakeSenders(trx, [webhookId])
}

export async function cancelDeliveries(trx: Db, webhookId: number): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'cancelled', lease_until = null, updated_at = now()
    where webhook_id = ${webhookId} and state in ('pending', 'held')`.execute(trx)
}

const pruneBatch = 5000

/** What is older than so many days and lies behind these ids, a batch at a time. False when nothing is left. */
export async function pruneSome(db: Db, days: number, from: Record<Ranged, number>): Promise<boolean> {
  const { rows } = await sql<{ deliveries: number; events: number }>`
    with old as (
      select id from (
        select id, created_at from webhook_deliveries where id >= ${from.webhook_deliveries} order by id limit ${pruneBatch}) first
      where created_at < now() - make_interval(days => ${days}::int)
    ), attempts as (
      delete from webhook_attempts where delivery_id in (select id from old)
    ), deliveries as (
      delete from webhook_deliveries where id in (select id from old) returning id
    ), events as (
      delete from webhook_events where id in (
        select id from (
          select id, created_at from webhook_events where id >= ${from.webhook_events} order by id limit ${pruneBatch}) first
        where created_at < now() - make_interval(days => ${days}::int)) returning id
    )
    select (select count(*) from deliveries) as deliveries, (select count(*) from events) as events`.execute(db)
  const [pruned] = rows
  return pruned !== undefined && pruned.deliveries + pruned.events > 0
}
