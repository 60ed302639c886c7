import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

export interface Forgetful {
  id: number
  days: number
}

/**
 * Integrations, connected or not, each with the days for which people may be known: as the platform or the operator says by
 * type (not of described services), or the app, whichever is shorter.
 */
export async function forgetfulIntegrations(
  db: Db,
  lives: readonly { type: string; days: number }[],
  { after, limit }: { after: number; limit: number },
): Promise<Forgetful[]> {
  const { rows } = await sql<Forgetful>`
    select i.id, least(life.days, a.keep_customers_days) as days from integrations i
    left join unnest(${lives.map(({ type }) => type)}::text[], ${lives.map(({ days }) => days)}::int[]) life (type, days)
      on life.type = i.type
        and not exists (select from services where services.id = i.service_id and services.definition is not null)
    left join apps a on a.id = i.app_id
    where i.id > ${after} and i.deleted_at is null and (life.days is not null or a.keep_customers_days is not null)
    order by i.id limit ${limit}`.execute(db)
  return rows
}

/** Up to when they were looked through. */
export async function forgottenUntil(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    select forgotten_until as at from integrations where id = ${id}`.execute(db)
  return rows[0]?.at ?? null
}

export async function setForgottenUntil(db: Db, id: number, days: number): Promise<void> {
  await sql`update integrations set forgotten_until = now() - make_interval(days => ${days}) where id = ${id}`.execute(
    db,
  )
}

const done = sql.raw(`('SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED')`)
/** An order may be worked on for so long before it leaves. */
const openDays = 180

/**
 * Orders that were delivered, left or were called off so many days ago, and still say who bought. Platforms count from
 * delivery. That is when we learned of it, which for those read long afterwards is too late: then a month after they left
 * at most. Of what nobody says has arrived it is when it left: as its parcels say, else when we learned of it, or when it was
 * due. Only what was placed shortly before the last look, or has changed since, is looked at again.
 */
export async function ordersToForget(
  db: Db,
  integrationId: number,
  { days, since, limit }: { days: number; since: string | null; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o
    cross join lateral (
      select max(s.shipped_at) as at from shipments s where s.integration_id = ${integrationId} and s.order_id = o.id
    ) sent
    cross join lateral (
      select min(h.at) as at, min(h.at) filter (where h.status = 'DELIVERED') as arrived from order_history h
      where h.integration_id = ${integrationId} and h.order_id = o.id and h.status in ${done}
    ) learned
    cross join lateral (
      select coalesce(sent.at, least(coalesce(o.ship_by, o.placed_at + interval '30 days'), learned.at)) as at
    ) gone
    where o.integration_id = ${integrationId} and o.redacted_at is null and o.status in ${done}
      and o.placed_at < now() - make_interval(days => ${days})
      and (o.placed_at >= coalesce(${since}::timestamptz - make_interval(days => ${openDays}), '-infinity')
        or o.updated_at >= ${since}::timestamptz)
      and case when learned.arrived is null then gone.at else least(learned.arrived, gone.at + interval '30 days') end
        < now() - make_interval(days => ${days})
    order by o.placed_at, o.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
