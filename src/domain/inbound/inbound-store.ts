import { sql } from 'kysely'
import type { RecordKey } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Reader } from '../../runtime/db/lists/paginate.ts'
import { type KnownKey, keysForSealing, keysOnceRead, unknownKey } from '../../runtime/db/vault/vault.ts'
import { ordersOfPerson } from '../orders/privacy/find-person-store.ts'
import { type Content, sealContent } from './sealing/sealed-delivery.ts'

/** A message of a shop, as it has come; what it says is kept sealed. */
export interface InboundDelivery extends Content {
  integration_id: number
  delivery_id: string
  topic: string | null
  /** Whether the platform's signature was on it. */
  verified: boolean
  kind: string | null
  remote_id: string | null
}

/**
 * What they say comes as one piece of bytes: a list costs more than all else. The key tells messages of one era apart (`eras/`); those of
 * eras before are looked for, each by its whole key: asked for all of them together, the database goes through everything of a shop that its
 * statistics do not know yet.
 */
const insertText = (integration: string, isSealedWell: string) => `
  insert into shop_messages (integration_id, delivery_id, topic, verified, kind, remote_id, size, body, private)
  select integration_id, delivery_id, topic, verified, kind, remote_id, size, '\\x', substr($10::bytea, place, length)
  from unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[])
    r(integration_id, delivery_id, topic, verified, kind, remote_id, size, place, length)
  where (select true from shop_messages d where d.integration_id = ${integration} and d.delivery_id = r.delivery_id limit 1) is null
    and ${isSealedWell}
  on conflict do nothing
  returning integration_id, delivery_id`

/**
 * Of one integration: where messages are distributed there is no other case, and one shard is asked. $12 is the key that they were sealed
 * with, as the table has it unless it was destroyed since; null where it has just been read.
 */
const insertOfOne = insertText(
  '$11',
  '($12::bytea is null or exists (select from privacy_keys where integration_id = $11 and sealed = $12))',
)

const insertOfSeveral = insertText(
  'r.integration_id',
  `($12::bytea[] is null or integration_id in (
    select k.integration_id from unnest($11::bigint[], $12::bytea[]) s(integration_id, sealed)
    join privacy_keys k on k.integration_id = s.integration_id and k.sealed = s.sealed))`,
)

export const keyOf = ({ integration_id, delivery_id }: Pick<InboundDelivery, 'integration_id' | 'delivery_id'>) =>
  `${integration_id}/${delivery_id}`

/**
 * Any number of messages in one statement and one commit. The keys of those that are new: the others are there already,
 * since platforms repeat themselves.
 */
export async function insertInbound(reader: Reader, deliveries: readonly InboundDelivery[]): Promise<Set<string>> {
  const rows = inOneOrder(deliveries)
  const known = keysOnceRead(reader, idsOf(rows))
  if (!known) return await insertRows(reader, rows, await readKeys(reader, rows))
  // Nearly always all of them are new, and sealed with the keys that are there.
  const stored = await insertRows(reader, rows, (id) => known.get(id)?.key ?? unknownKey(id), known)
  const rest = rows.filter((row) => !stored.has(keyOf(row)))
  if (rest.length === 0) return stored
  const late = await insertRows(reader, rest, await readKeys(reader, rest))
  return new Set([...stored, ...late])
}

const idsOf = (rows: readonly InboundDelivery[]): number[] => [...new Set(rows.map((row) => row.integration_id))]

/** The same everywhere, so that two who insert the same ones do not wait for each other. */
function inOneOrder(deliveries: readonly InboundDelivery[]): InboundDelivery[] {
  if (deliveries.length < 2) return [...deliveries]
  const named = deliveries.map((row) => ({ row, name: keyOf(row) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row)
}

const readKeys = (reader: Reader, rows: readonly InboundDelivery[]) => keysForSealing(reader, idsOf(rows))

/** `known`: keys that were read earlier; what they have sealed is stored only if they are still there. */
async function insertRows(
  reader: Reader,
  rows: readonly InboundDelivery[],
  keyFor: (integrationId: number) => RecordKey,
  known?: ReadonlyMap<number, KnownKey>,
): Promise<Set<string>> {
  const sealed = rows.map((row) => sealContent(keyFor(row.integration_id), row, row))
  const ids = idsOf(rows)
  const sealedKeys = ids.map((id) => known?.get(id)?.sealed ?? null)
  const { rows: inserted } = await reader.query<Pick<InboundDelivery, 'integration_id' | 'delivery_id'>>(
    ids.length === 1 ? insertOfOne : insertOfSeveral,
    [
      rows.map((row) => row.integration_id),
      rows.map((row) => row.delivery_id),
      rows.map((row) => row.topic),
      rows.map((row) => row.verified),
      rows.map((row) => row.kind),
      rows.map((row) => row.remote_id),
      rows.map((row) => row.body.length),
      placesOf(sealed),
      sealed.map((piece) => piece.length),
      Buffer.concat(sealed),
      ...(ids.length === 1 ? [ids[0], sealedKeys[0]] : [ids, known ? sealedKeys : null]),
    ],
  )
  return new Set(inserted.map(keyOf))
}

/** Where each begins among all of them, counted from one. */
function placesOf(pieces: readonly Buffer[]): number[] {
  let place = 1
  return pieces.map((piece) => {
    const begin = place
    place += piece.length
    return begin
  })
}

/**
 * Integrations of a service that hold an order of this customer, whatever has become of them. Each knows the customer by a
 * hash of its own, so each is asked for its own.
 */
export async function integrationsOfCustomer(db: Db, type: string, remoteId: string): Promise<number[]> {
  const found = new Set<number>()
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from integrations where type = ${type} and id > ${after} order by id limit ${integrationsAtOnce}`.execute(
      db,
    )
    const ids = rows.map(({ id }) => id)
    for (const order of await ordersOfPerson(db, ids, { remoteId })) found.add(order.integration_id)
    after = ids.at(-1) ?? 0
    if (ids.length < integrationsAtOnce) return [...found]
  }
}

const integrationsAtOnce = 1000

export const inboundChannel = 'entrepot_inbound'

/** Says that there is work. A lost notification is made up for by polling, so that no disk is waited for. */
export async function announceInbound(reader: Reader, integrationIds: readonly number[]): Promise<void> {
  const text = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`
  await reader.query(text, [inboundChannel, integrationIds.join(',')])
}
