import { sql } from 'kysely'
import { type PersonSought, wordsOfPerson } from '../../../lib/sealing/person-words.ts'
import { blindWord } from '../../../lib/sealing/record-box.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { namedRows } from '../../../runtime/db/rows/named-rows.ts'
import { keysForOpening, type Through } from '../../../runtime/db/vault/vault.ts'
import type { Order } from '../order.ts'
import { isAbout } from './private-part.ts'

export interface FoundOrder {
  integration_id: number
  id: number
  remote_id: string
}

/**
 * The orders of these integrations that name somebody: everything that is said of the person has to be in the order, however
 * it is written. Deleted ones too, not those whose buyer was forgotten.
 */
export async function ordersOfPerson(
  db: Db,
  integrationIds: readonly number[],
  sought: PersonSought,
): Promise<FoundOrder[]> {
  const sealed = await sealedOrdersOf(db, integrationIds, sought)
  const others = await unsealedOrdersOf(db, integrationIds, sought)
  return [...sealed, ...others].sort((a, b) => a.integration_id - b.integration_id || a.id - b.id)
}

/** The words are others in each integration, as its key is. */
async function sealedOrdersOf(db: Db, integrationIds: readonly number[], sought: PersonSought): Promise<FoundOrder[]> {
  const wanted = [...(await blindWordsIn(db, integrationIds, sought))]
  if (wanted.length === 0) return []
  const ids = wanted.map(([id]) => id)
  const words = wanted.map(([, own]) => `{${own.join(',')}}`)
  // Whatever is in all of them: the first is enough to find them by.
  const firsts = wanted.flatMap(([, own]) => own.slice(0, 1))
  const { rows } = await sql<FoundOrder>`
    select o.integration_id, o.id, o.remote_id from orders o
    join unnest(${ids}::bigint[], ${words}::text[]) w(integration_id, words) on w.integration_id = o.integration_id
    where o.integration_id = any(${ids}::bigint[]) and o.private_words && ${firsts}::bigint[] and o.private_words @> w.words::bigint[]`.execute(
    db,
  )
  return rows
}

/** What to look for in each of the integrations that have a key. None if nothing is said of the person. */
export async function blindWordsIn(
  through: Through,
  integrationIds: readonly number[],
  sought: PersonSought,
): Promise<Map<number, number[]>> {
  const words = wordsOfPerson(sought)
  if (words.length === 0) return new Map()
  const keys = await keysForOpening(through, integrationIds)
  return new Map([...keys].map(([id, key]) => [id, words.map((word) => blindWord(key, word))]))
}

/** Orders of one integration by hashes: with any of them, or with all. Deleted ones too, not those whose buyer was forgotten. */
export async function ordersWithWords(
  db: Db,
  integrationId: number,
  { any, all, after, limit }: { any?: readonly number[]; all?: readonly number[]; after: number; limit: number },
): Promise<FoundOrder[]> {
  const named = all ? sql`private_words @> ${[...all]}::bigint[]` : sql`private_words && ${[...(any ?? [])]}::bigint[]`
  if ((all ?? any ?? []).length === 0) return []
  const { rows } = await sql<FoundOrder>`
    select integration_id, id, remote_id from orders
    where integration_id = ${integrationId} and id > ${after} and ${named} order by id limit ${limit}`.execute(db)
  return rows
}

/** Those of the shop's ids under which we hold an order, deleted or not. */
export async function heldAmong(db: Db, integrationId: number, remoteIds: readonly string[]): Promise<Set<string>> {
  if (remoteIds.length === 0) return new Set()
  const { rows } = await sql<{ remote_id: string }>`
    select remote_id from ${namedRows('orders', integrationId, remoteIds)}`.execute(db)
  return new Set(rows.map((row) => row.remote_id))
}

const rowsAtOnce = 500

/** Orders from before they were sealed, one by one: after an upgrade there are some for a while. */
async function unsealedOrdersOf(
  db: Db,
  integrationIds: readonly number[],
  sought: PersonSought,
): Promise<FoundOrder[]> {
  if (wordsOfPerson(sought).length === 0) return []
  const found: FoundOrder[] = []
  for (const integrationId of await withUnsealed(db, integrationIds)) {
    for (let after = 0; ; ) {
      const { rows } = await sql<Order>`
        select integration_id, id, remote_id, customer, billing_address, shipping_address from orders
        where integration_id = ${integrationId} and private is null and redacted_at is null and id > ${after}
        order by id limit ${rowsAtOnce}`.execute(db)
      found.push(...rows.filter((order) => isAbout(order, sought)))
      after = rows.at(-1)?.id ?? 0
      if (rows.length < rowsAtOnce) break
    }
  }
  return found.map(({ integration_id, id, remote_id }) => ({ integration_id, id, remote_id }))
}

async function withUnsealed(db: Db, integrationIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct integration_id as id from orders
    where integration_id = any(${[...integrationIds]}::bigint[]) and private is null and redacted_at is null`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
