import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** Somebody is there. */
export async function beat(db: Db, name: string): Promise<void> {
  await sql`
    insert into heartbeats as h (name, at) values (${name}, clock_timestamp())
    on conflict (name) do update set at = greatest(h.at, excluded.at)`.execute(db)
}

export interface Silence {
  seconds: number
  since: string
}

/** How long nobody has been there; null before the first one ever. */
export async function readSilence(db: Db, name: string): Promise<Silence | null> {
  const { rows } = await sql<Silence>`
    select at as since, extract(epoch from clock_timestamp() - at)::float8 as seconds from heartbeats
    where name = ${name}`.execute(db)
  return rows[0] ?? null
}

/** Seconds after which whoever makes up for a silence, and gives no sign of life, is taken to have died over it. */
const leaseSeconds = 30

const work = (name: string) => `${name}: making up`

/** Whether it is ours to make up for a silence: one at a time does. */
export async function beginMakingUp(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    insert into heartbeats as h (name, at) values (${work(name)}, clock_timestamp())
    on conflict (name) do update set at = excluded.at
      where h.at < excluded.at - make_interval(secs => ${leaseSeconds}::int)
    returning name`.execute(db)
  return rows.length > 0
}

export const goOnMakingUp = (db: Db, name: string): Promise<void> => beat(db, work(name))

export async function endMakingUp(db: Db, name: string): Promise<void> {
  await sql`delete from heartbeats where name = ${work(name)}`.execute(db)
}

const atOnce = 2000
/** Seconds over which the questions are spread. */
const spreadSeconds = 120

/** A batch of those that shops send messages to, by id: their shops are asked soon, and their webhooks looked at. */
export async function askAfterDowntime(
  db: Db,
  { after, since }: { after: number; since: string },
): Promise<{ count: number; last: number | null }> {
  const ids = await doubtMessages(db, sql`id > ${after}`, { since, spreadSeconds })
  return { count: ids.length, last: ids.length === atOnce ? Math.max(...ids) : null }
}

/** The same for some of them. Few are asked at once; many, as many in a second as after an outage of all. */
export async function askAfterRefusals(
  db: Db,
  { ids, since }: { ids: readonly number[]; since: string },
): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    const spread = Math.max(1, Math.min(spreadSeconds, Math.ceil(ids.length / 10)))
    await doubtMessages(db, sql`id = any(${some}::bigint[])`, { since, spreadSeconds: spread })
  }
}

async function doubtMessages(
  db: Db,
  which: RawBuilder<unknown>,
  { since, spreadSeconds: spread }: { since: string; spreadSeconds: number },
): Promise<number[]> {
  const soon = (id: string) => sql`now() + make_interval(secs => ${sql.ref(id)} % ${sql.lit(spread)})`
  const { rows } = await sql<{ id: number }>`
    update integrations set catalogue_read_at = null, next_read_at = least(next_read_at, ${soon('id')}),
      messages_since = case when messages = 'arriving' then ${since}::timestamptz else messages_since end,
      messages = case when messages = 'arriving' then 'late' else messages end
    where id in (
      select id from integrations
      where ${which} and messages <> 'none' and status = 'ACTIVE' and active and deleted_at is null
      order by id limit ${atOnce})
    returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`
    update shop_webhooks set next_check_at = least(next_check_at, ${soon('integration_id')})
    where integration_id = any(${ids}::bigint[])`.execute(db)
  return ids
}
