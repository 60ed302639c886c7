import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { Reader } from '../../runtime/db/paginate.ts'
import type { Integration } from '../integrations/integration.ts'

/** A message of a shop, as it is kept. */
export interface InboundDelivery {
  integration_id: number
  delivery_id: string
  topic: string | null
  /** Whether the platform's signature was on it. */
  verified: boolean
  kind: string | null
  remote_id: string | null
  headers: Record<string, string>
  query: Record<string, string>
  body: Buffer
}

/** The bodies come as one piece of bytes, headers and queries as one piece of JSON: lists of either cost more than all else. */
const insertText = `
  insert into inbound_deliveries (integration_id, delivery_id, topic, verified, kind, remote_id, headers, query, body)
  select integration_id, delivery_id, topic, verified, kind, remote_id, $9::jsonb -> n::int - 1 -> 0, $9::jsonb -> n::int - 1 -> 1,
    substr($10::bytea, place, size)
  from unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::int[], $8::int[])
    with ordinality r(integration_id, delivery_id, topic, verified, kind, remote_id, place, size, n)
  on conflict (integration_id, delivery_id) do nothing
  returning integration_id, delivery_id`

export const keyOf = ({ integration_id, delivery_id }: Pick<InboundDelivery, 'integration_id' | 'delivery_id'>) =>
  `${integration_id}/${delivery_id}`

/**
 * Any number of messages in one statement and one commit. The keys of those that are new: the others are there already,
 * since platforms repeat themselves.
 */
export async function insertInbound(reader: Reader, deliveries: readonly InboundDelivery[]): Promise<Set<string>> {
  // In one order everywhere, so that two who insert the same ones do not wait for each other.
  const rows = [...deliveries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const { rows: inserted } = await reader.query({
    name: 'insert-inbound',
    text: insertText,
    values: [
      rows.map((row) => row.integration_id),
      rows.map((row) => row.delivery_id),
      rows.map((row) => row.topic),
      rows.map((row) => row.verified),
      rows.map((row) => row.kind),
      rows.map((row) => row.remote_id),
      placesOf(rows),
      rows.map((row) => row.body.length),
      JSON.stringify(rows.map(({ headers, query }) => [headers, query])),
      Buffer.concat(rows.map((row) => row.body)),
    ],
  })
  return new Set(inserted.map(keyOf))
}

/** Where each body begins among all of them, counted from one. */
function placesOf(rows: readonly InboundDelivery[]): number[] {
  let place = 1
  return rows.map(({ body }) => {
    const begin = place
    place += body.length
    return begin
  })
}

export interface Addressed {
  integration: Pick<Integration, 'id' | 'app_id' | 'account_id' | 'service_id' | 'type' | 'shop' | 'settings'>
  /** The secrets of the registration. */
  sealed: Buffer | null
  /** It has been uninstalled: all that may still come is what the law wants us to do. */
  left: boolean
}

const mostAddressed = 20

/** The integrations that an address names: of this service, account and shop. Nearly always one. */
export async function addressedIntegrations(
  db: Db,
  address: { channel: string; accountId: number | null | 'any'; store: string; integrationId: number | null },
): Promise<Addressed[]> {
  const { integrationId: id, accountId } = address
  const { rows } = await sql<Addressed['integration'] & Omit<Addressed, 'integration'>>`
    select i.id, i.app_id, i.account_id, i.service_id, i.type, i.shop, i.settings, w.sealed,
      i.status = 'UNINSTALLED' or i.deleted_at is not null as left
    from integrations i left join shop_webhooks w on w.integration_id = i.id
    where i.type = ${address.channel} and i.shop = ${address.store}
      ${accountId === 'any' ? sql`` : sql`and i.account_id is not distinct from ${accountId}::bigint`}
      and (i.deleted_at is null or i.purged_at is null)
      ${id === null ? sql`` : sql`and i.id = ${id}`}
    order by i.status = 'UNINSTALLED' or i.deleted_at is not null, i.id desc limit ${mostAddressed}`.execute(db)
  return rows.map(({ sealed, left, ...integration }) => ({ integration, sealed, left }))
}

/** Integrations of a service that hold an order of this customer, whatever has become of them. */
export async function integrationsOfCustomer(db: Db, type: string, remoteId: string): Promise<number[]> {
  const { rows: holders } = await sql<{ integration_id: number }>`
    select distinct integration_id from orders where customer ->> 'remote_id' = ${remoteId}`.execute(db)
  const ids = holders.map((row) => row.integration_id)
  const { rows } = await sql<{ id: number }>`
    select id from integrations where id = any(${ids}::bigint[]) and type = ${type} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function serviceIdOf(db: Db, type: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from services where type = ${type} and deleted_at is null`.execute(db)
  return rows[0]?.id ?? null
}

/** On a distributed database a statement with rows of several integrations costs many times as much. */
export async function isDistributed(reader: Reader): Promise<boolean> {
  const { rowCount } = await reader.query({ text: `select from pg_extension where extname = 'citus'` })
  return rowCount === 1
}

export const inboundChannel = 'entrepot_inbound'

/** Says that there is work. What is not heard is found by looking, so that no disk is waited for. */
export async function announceInbound(reader: Reader, integrationIds: readonly number[]): Promise<void> {
  const text = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`
  await reader.query({ name: 'announce-inbound', text, values: [inboundChannel, integrationIds.join(',')] })
}
