import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { anyOf } from '../../../runtime/db/lists/any-of.ts'
import type { ListPlan, ListScope } from '../../../runtime/db/lists/paginate.ts'
import type { AppTenant } from '../../tenant.ts'
import type { Channel } from './channel.ts'

const columns = `id, app_id, type, name, hint, severity, active, delivery, daily_at, quiet_from, quiet_to, time_zone,
  confirmed_at, last_sent_at, failing_since, last_error, created_at, updated_at`

export const channelList: ListPlan = {
  name: 'alert_channels',
  from: 'alert_channels',
  columns,
  filters: { active: { column: 'active', type: 'boolean' }, type: { column: 'type', type: 'text' } },
  sorts: { id: 'id', name: 'name', created_at: 'created_at' },
}

export const channelScope = ({ appId }: AppTenant): ListScope => ({
  key: 'app',
  sql: 'app_id = ? and deleted_at is null',
  params: [appId],
})

async function one(db: Db, where: RawBuilder<unknown>): Promise<Channel | null> {
  const { rows } = await sql<Channel>`
    select ${sql.raw(columns)} from alert_channels where ${where} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function findChannel(db: Db, { appId }: AppTenant, id: number): Promise<Channel> {
  const channel = await one(db, sql`id = ${id} and app_id = ${appId}`)
  if (!channel) throw notFound()
  return channel
}

/** For whoever sends, and for links that name it. Null: it was deleted. */
export const channelById = (db: Db, id: number): Promise<Channel | null> => one(db, sql`id = ${id}`)

/** Those that something is collected for. */
export async function listeningChannels(db: Db, appIds: readonly number[]): Promise<Channel[]> {
  const { rows } = await sql<Channel>`
    select ${sql.raw(columns)} from alert_channels
    where app_id = ${anyOf(appIds)} and active and confirmed_at is not null and deleted_at is null
    order by id`.execute(db)
  return rows
}

/** The id comes first, because the address is sealed for the place where it will lie. */
export async function takeChannelId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('alert_channels', 'id')) as id`.execute(db)
  return rows[0]?.id ?? 0
}

export interface ChannelRow
  extends Pick<
    Channel,
    'type' | 'name' | 'hint' | 'severity' | 'active' | 'delivery' | 'daily_at' | 'quiet_from' | 'quiet_to' | 'time_zone'
  > {
  address: Buffer
  key_id: string
}

export async function insertChannel(
  trx: Db,
  { appId, createdBy }: { appId: number; createdBy: number | null },
  row: ChannelRow & { id: number; confirmed: boolean },
): Promise<void> {
  await sql`
    insert into alert_channels (id, app_id, type, name, hint, severity, active, delivery, daily_at, quiet_from, quiet_to,
      time_zone, address, key_id, confirmed_at, created_by)
    overriding system value
    values (${row.id}, ${appId}, ${row.type}, ${row.name}, ${row.hint}, ${row.severity}, ${row.active}, ${row.delivery},
      ${row.daily_at}, ${row.quiet_from}, ${row.quiet_to}, ${row.time_zone}, ${row.address}, ${row.key_id},
      case when ${row.confirmed}::boolean then now() end, ${createdBy})`.execute(trx)
}

export async function changeChannel(
  trx: Db,
  id: number,
  changes: Partial<ChannelRow> & { confirmed?: boolean },
): Promise<void> {
  const { confirmed, ...plain } = changes
  await trx
    .updateTable('alert_channels')
    .set({
      ...plain,
      ...(confirmed === undefined ? {} : { confirmed_at: confirmed ? sql<string>`now()` : null }),
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteChannel(trx: Db, id: number): Promise<void> {
  await sql`update alert_channels set deleted_at = now(), updated_at = now(), address = '' where id = ${id}`.execute(
    trx,
  )
}

/** Whoever reads this address agrees; not for another one that it leads to by now. */
export async function confirmChannel(trx: Db, { id, hint }: Pick<Channel, 'id' | 'hint'>): Promise<void> {
  await sql`
    update alert_channels set confirmed_at = coalesce(confirmed_at, now()), updated_at = now()
    where id = ${id} and hint = ${hint}`.execute(trx)
}

export async function sealedAddress(db: Db, id: number): Promise<Buffer | null> {
  const { rows } = await sql<{ address: Buffer }>`
    select address from alert_channels where id = ${id} and deleted_at is null`.execute(db)
  return rows[0]?.address ?? null
}

/** What became of the latest message: null is that it was taken. */
export async function noteOutcome(db: Db, id: number, error: string | null): Promise<void> {
  await (error === null
    ? sql`update alert_channels set last_sent_at = now(), failing_since = null, last_error = null where id = ${id}`
    : sql`update alert_channels set failing_since = coalesce(failing_since, now()), last_error = ${error} where id = ${id}`
  ).execute(db)
}
