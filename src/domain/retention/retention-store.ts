import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Retention } from './retention.ts'

const columns = sql.raw(
  'keep_orders_days as orders_days, keep_customers_days as customers_days, keep_messages_days as messages_days',
)

export async function readRetention(db: Db, appId: number): Promise<Retention> {
  const { rows } = await sql<Retention>`select ${columns} from apps where id = ${appId}`.execute(db)
  const [found] = rows
  if (!found) throw notFound()
  return found
}

/** What is not named stays as it is, also where somebody else is changing it at this moment. */
export async function writeRetention(db: Db, appId: number, changes: Partial<Retention>): Promise<Retention> {
  const set = (name: keyof Retention, column: string) =>
    changes[name] === undefined ? sql.ref(column) : sql`${changes[name]}::integer`
  const { rows } = await sql<Retention>`
    update apps set keep_orders_days = ${set('orders_days', 'keep_orders_days')},
      keep_customers_days = ${set('customers_days', 'keep_customers_days')},
      keep_messages_days = ${set('messages_days', 'keep_messages_days')}, updated_at = now()
    where id = ${appId} and deleted_at is null returning ${columns}`.execute(db)
  const [written] = rows
  if (!written) throw notFound()
  return written
}

/** For how many days the integration's app keeps orders; null for ever. */
export async function keptOrdersDays(db: Db, integrationId: number): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    select a.keep_orders_days as days from integrations i join apps a on a.id = i.app_id
    where i.id = ${integrationId}`.execute(db)
  return rows[0]?.days ?? null
}

export interface Retained extends Retention {
  id: number
}

/** Integrations of apps that have set anything, connected or not. */
export async function retainedIntegrations(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<Retained[]> {
  const { rows } = await sql<Retained>`
    select i.id, ${columns} from apps a join integrations i on i.app_id = a.id
    where (a.keep_orders_days is not null or a.keep_customers_days is not null or a.keep_messages_days is not null)
      and i.id > ${after} and i.purged_at is null
    order by i.id limit ${limit}`.execute(db)
  return rows
}

/** Nothing was left whose time is over. */
export async function markRetained(db: Db, integrationId: number): Promise<void> {
  await sql`update integrations set retained_at = now() where id = ${integrationId}`.execute(db)
}
