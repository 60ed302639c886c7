import { sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { AppTenant } from '../../tenant.ts'

/** Somebody at a command line who reads the events of an app for a while: a webhook that is sent nothing. */
export interface Listener {
  id: number
  app_id: number
  integration_id: null
  events: string[]
  expires_at: string
}

/** Where nobody has asked for so long, nobody listens any more: long enough for a laptop that sleeps. */
const leaseSeconds = 3600
const lease = sql`now() + make_interval(secs => ${leaseSeconds})`
const columns = sql`id, app_id, null::bigint as integration_id, events, listens_until as expires_at`

/** Part of the transaction that has made the subscription. */
export async function markListening(trx: Db, id: number): Promise<Listener> {
  const { rows } = await sql<Listener>`
    update webhook_subscriptions set listens_until = ${lease} where id = ${id} returning ${columns}`.execute(trx)
  const [listener] = rows
  if (!listener) throw notFound()
  return listener
}

export async function findListener(db: Db, { appId }: AppTenant, id: number): Promise<Listener> {
  const { rows } = await sql<Listener>`
    select ${columns} from webhook_subscriptions
    where id = ${id} and app_id = ${appId} and deleted_at is null and listens_until > now()`.execute(db)
  const [listener] = rows
  if (!listener) throw notFound()
  return listener
}

/** Written once in a quarter of an hour at most. */
export async function renewListener(db: Db, id: number): Promise<void> {
  await sql`
    update webhook_subscriptions set listens_until = ${lease}
    where id = ${id} and listens_until > now() and listens_until < ${lease} - interval '15 minutes'`.execute(db)
}

/** So many at most; one that nobody asks any more makes room. */
export async function countListeners(db: Db, { appId }: AppTenant, upTo: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from webhook_subscriptions
      where app_id = ${appId} and integration_id is null and deleted_at is null and listens_until > now()
      limit ${upTo}) as found`.execute(db)
  return rows[0]?.n ?? 0
}

export async function endedListeners(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from webhook_subscriptions
    where listens_until is not null and listens_until <= now() and deleted_at is null
    order by listens_until limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
