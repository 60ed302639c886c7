import { type RawBuilder, sql } from 'kysely'
import { chunks } from '../../lib/chunks.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { OrderStatus } from '../orders/order.ts'
import type { RunStatus } from '../runs/run.ts'

/** What is found by its name, in shops and beside them. */

export interface FoundOrder {
  integration_id: number
  id: number
  remote_id: string
  number: string | null
  status: OrderStatus
  currency: string
  total: string
  placed_at: string | null
}

export interface FoundProduct {
  integration_id: number
  id: number
  sku: string
  name: string
}

export interface FoundRun {
  integration_id: number
  id: number
  resource: string
  status: RunStatus
}

/** Somebody as a shop knows them: the hashes that its key makes of the words, which are others in every shop, and as many. */
export interface KnownAs {
  integration_id: number
  hashes: readonly number[]
}

/** What is looked for in shops; what is left out, nobody looks for. */
export interface Sought {
  /** Of an order, in any of its spellings. */
  numbers?: readonly string[]
  /** The shop's own id of an order. */
  remoteId?: string
  /** Of a parcel. */
  trackingNumber?: string
  /** Whoever bought: in the first of these groups of shops, and in the next ones only while there is room for more. */
  buyer?: readonly (readonly KnownAs[])[]
  sku?: string
  runId?: number
}

export interface FoundInShops {
  numbered: FoundOrder[]
  tracked: FoundOrder[]
  bought: FoundOrder[]
  products: FoundProduct[]
  runs: FoundRun[]
}

/** As PostgreSQL writes one: of a thousand numbers that is a tenth of the work that the driver makes of them. */
const listOf = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

const ofOrder = { remote_id: 'text', number: 'text', currency: 'text', total: 'numeric', placed_at: 'timestamptz' }
const ofOthers = { private_words: 'bigint[]', sku: 'text', name: 'text', resource: 'text' }
const everyColumn = Object.entries({ ...ofOrder, status: 'text', ...ofOthers })
const orderColumns = [...Object.keys(ofOrder), 'status']

/** Rows of every kind have the same columns; those that a kind lacks are empty. */
const columns = (kind: keyof FoundInShops, own: readonly string[]): RawBuilder<unknown> =>
  sql.raw(
    [
      `'${kind}' as kind, r.integration_id, r.id`,
      ...everyColumn.map(([name, type]) => (own.includes(name) ? `r.${name}` : `null::${type} as ${name}`)),
    ].join(', '),
  )

/**
 * All of it by one statement over the shops of these ids, so many of each kind. Each of its parts names the shops, and begins with an index for
 * what it looks for.
 */
export async function findInShops(
  db: Db,
  ids: readonly number[],
  { sought, limit }: { sought: Sought; limit: number },
): Promise<FoundInShops> {
  const { numbers, remoteId, trackingNumber, buyer = [], sku, runId } = sought
  const shops = listOf(ids)
  const parts: RawBuilder<unknown>[] = []
  if (numbers)
    parts.push(sql`(select ${columns('numbered', orderColumns)} from orders r
      where r.integration_id = any(${shops}::bigint[]) and r.number = any(${[...numbers]}::text[]) and r.deleted_at is null
      limit ${limit})`)
  if (remoteId !== undefined)
    parts.push(sql`(select ${columns('numbered', orderColumns)} from orders r
      where r.integration_id = any(${shops}::bigint[]) and r.remote_id = ${remoteId} and r.deleted_at is null
      limit ${limit})`)
  if (trackingNumber !== undefined)
    parts.push(sql`(select ${columns('tracked', orderColumns)}
      from shipments s join orders r on r.integration_id = s.integration_id and r.id = s.order_id
      where s.integration_id = any(${shops}::bigint[]) and s.tracking_number = ${trackingNumber} and r.deleted_at is null
      limit ${limit})`)
  if (buyer.length > 0)
    parts.push(sql`(select * from (${together(buyer.map((known) => boughtBy(known, limit)))}) b limit ${limit})`)
  if (sku !== undefined)
    parts.push(sql`(select ${columns('products', ['sku', 'name'])} from products r
      where r.integration_id = any(${shops}::bigint[]) and r.sku = ${sku} and r.deleted_at is null
      order by r.id desc limit ${limit})`)
  if (runId !== undefined)
    parts.push(sql`(select ${columns('runs', ['resource', 'status'])} from runs r
      where r.integration_id = any(${shops}::bigint[]) and r.id = ${runId} limit ${limit})`)
  const found: FoundInShops = { numbered: [], tracked: [], bought: [], products: [], runs: [] }
  if (parts.length === 0 || ids.length === 0) return found
  const { rows } = await sql<FoundRow>`select * from (${together(parts)}) f`.execute(db)
  const hashes = new Map(buyer.flat().map((known) => [known.integration_id, known.hashes]))
  for (const row of rows) {
    if (row.kind === 'products') found.products.push(row)
    else if (row.kind === 'runs') found.runs.push(row)
    else {
      const { kind, private_words: words, ...order } = row
      // Two shops make the same hash of different words once in a very long time.
      const isBuyer = hashes.get(order.integration_id)?.every((hash) => words?.includes(hash))
      if (kind !== 'bought' || isBuyer) found[kind].push(order)
    }
  }
  return found
}

type FoundRow =
  | (FoundOrder & { kind: 'numbered' | 'tracked' | 'bought'; private_words: number[] | null })
  | (FoundProduct & { kind: 'products' })
  | (FoundRun & { kind: 'runs' })

const together = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql` union all `)

/** A look into the index of words is for so many shops: fewer take more looks, and with more of them each look takes longer than it saves. */
const shopsInOneLook = 50

/**
 * Orders of whoever is known by a hash for each of the words, the newest first. The index of words needs no shop: were it part of the join, the
 * database would rather walk through the shop's orders, since of hashes it knows next to nothing. That an order has the first of the words is said
 * twice for its sake: of what is true twice it expects little.
 */
function boughtBy(known: readonly KnownAs[], limit: number): RawBuilder<unknown> {
  const shops = listOf(known.map(({ integration_id: id }) => id))
  const groups = chunks(known, shopsInOneLook)
  const words = [...(known[0]?.hashes.keys() ?? [])]
  const lists = [0, ...words].map(
    (n) => sql`${groups.map((group) => listOf(group.map(({ hashes }) => hashes[n] ?? 0)))}::text[]`,
  )
  const each = sql.raw(words.map((n) => `and r.private_words && w.word_${n}::bigint[]`).join(' '))
  return sql`(select ${columns('bought', [...orderColumns, 'private_words'])}
    from unnest(${sql.join(lists)}) w(first_word, ${sql.raw(words.map((n) => `word_${n}`).join(', '))})
    join orders r on r.private_words && w.first_word::bigint[] ${each}
    where r.integration_id = any(${shops}::bigint[]) and r.deleted_at is null
    order by r.id desc limit ${limit})`
}

export interface FoundMerchant {
  id: number
  remote_id: string
  name: string | null
}

/** Those of the app, of which it is one read anyway; by name, by your own id, or by the address of the merchant. */
export async function merchantsCalled(
  db: Db,
  appId: number,
  { text, limit }: { text: string; limit: number },
): Promise<FoundMerchant[]> {
  const { rows } = await sql<FoundMerchant>`
    select id, remote_id, name from accounts
    where app_id = ${appId} and deleted_at is null
      and strpos(lower(coalesce(name, '') || ' ' || remote_id || ' ' || coalesce(email, '')), lower(${text}::text)) > 0
    order by id limit ${limit}`.execute(db)
  return rows
}
