import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { scarce } from '../stock.ts'
import { quantityToSend } from './fit.ts'

/** Whoever tells a shop holds it for so long, and says again that they are at it before that ends. Whoever dies over it keeps others waiting for as long. */
export const leaseSeconds = 8

/** Whether nobody else is telling the shop, and it is to be told anything at all. */
export async function claimShop(db: Db, integrationId: number, holder: string): Promise<boolean> {
  const { rows } = await sql`
    update stock_shops s set holder = ${holder}, held_until = now() + make_interval(secs => ${leaseSeconds})
    from stock_pools p
    where s.integration_id = ${integrationId} and p.id = s.pool_id and p.mode = 'on' and s.active
      and (s.held_until is null or s.held_until < now() or s.holder = ${holder})
    returning s.integration_id`.execute(db)
  return rows.length > 0
}

export async function releaseShop(db: Db, integrationId: number, holder: string): Promise<void> {
  await sql`
    update stock_shops set holder = null, held_until = null
    where integration_id = ${integrationId} and holder = ${holder}`.execute(db)
}

/** What is about to run out; what there is plenty of; what is only to be looked at. */
export const turns = { scarce: 0, plenty: 1, check: 2 } as const

const turn = sql`case when l.wanted = l.shows then ${turns.check}::int
  when least(l.wanted, l.shows, l.seen) < ${scarce} then ${turns.scarce}::int else ${turns.plenty}::int end`

interface DueLink {
  id: number
  article_id: number
  remote_id: string
  sku: string
  location: string
  /** What the shop should show then. */
  wanted: number
  /** What it was believed to show, and when it was first seen to show something else. */
  was: number | null
  seen: number | null
  seen_at: string | null
  /** It may show more than was believed, without anybody's having changed it by hand. */
  unsure: boolean
  /** Hands in the shop are believed. */
  believes: boolean
  attempts: number
  turn: number
}

export interface Telling extends Omit<DueLink, 'seen'> {
  telling_id: number
  sent_at: string
  /** What is sent: less than is wanted where the shop has sold something of which no order has come yet. */
  quantity: number
  /** What it was last known to show: platforms that compare change it from there only. */
  expected: number | null
}

/**
 * What a shop is to be told now: what is about to run out first, and by itself, so that it waits for nothing else. From here on it is not known what the shop
 * shows, until it has said so; whoever dies over it leaves it due.
 */
export async function takeDue(trx: Db, integrationId: number, holder: string, limit: number): Promise<Telling[]> {
  const { rows } = await sql<DueLink & { due_at: string }>`
    with first as materialized (
      select l.id from stock_links l join stock_shops s on s.integration_id = l.integration_id
      where l.integration_id = ${integrationId} and l.due_at <= now() and l.wanted is not null and s.holder = ${holder}
      order by ${turn}, l.wanted, l.due_at, l.id limit ${limit}
    )
    select l.id, l.article_id, l.remote_id, l.sku, l.location, l.wanted,
      coalesce(l.shows, l.at_least - l.own_sold) as was, l.seen, l.seen_at, l.doubt as unsure,
      s.by_hand = 'believe' as believes, l.attempts,
      l.due_at, ${turn} as turn
    from stock_links l join stock_shops s on s.integration_id = l.integration_id
    where l.integration_id = ${integrationId} and l.due_at <= now() and l.wanted is not null and s.holder = ${holder}
      and l.id in (select id from first)
    order by l.id for update of l`.execute(trx)
  // Locked in the order in which everybody locks them, told in another.
  const due = rows.toSorted(
    (a, b) => a.turn - b.turn || a.wanted - b.wanted || Date.parse(a.due_at) - Date.parse(b.due_at) || a.id - b.id,
  )
  const first = due[0]?.turn
  const taken = due
    .filter(({ turn }) => turn === first)
    .map(({ seen, due_at: _, ...link }) => {
      const expected = seen ?? link.was
      return { ...link, expected, quantity: quantityToSend(link, expected) }
    })
  if (taken.length === 0) return []
  const document = JSON.stringify(
    // What it shows then proves nothing of what it has sold: there are two explanations for every number.
    taken.map(({ id, quantity, expected, was, unsure }) => ({ id, quantity, expected, blind: unsure || was === null })),
  )
  const { rows: sent } = await sql<{ id: number; telling_id: number; sent_at: string }>`
    with taken as (
      update stock_links l set told = r.quantity, sent_at = now(), accepted_at = null, confirmed_at = null, shows = null,
        doubt = false, at_least = null, own_sold = 0, seen = null, seen_at = null,
        blind_until = case when r.blind then 'infinity' else l.blind_until end
      from jsonb_to_recordset(${document}::jsonb) r(id bigint, quantity bigint, expected bigint, blind boolean)
      where l.id = r.id returning l.id, r.quantity, r.expected
    )
    insert into stock_tellings (link_id, quantity, was, sent_at) select id, quantity, expected, now() from taken
    returning link_id as id, id as telling_id, sent_at`.execute(trx)
  const written = new Map(sent.map((row) => [row.id, row]))
  return taken.flatMap((one) => {
    const row = written.get(one.id)
    return row ? [{ ...one, telling_id: row.telling_id, sent_at: row.sent_at }] : []
  })
}

/** Nothing of it is told for so long. What the shop shows is known as well as before. */
export async function putOff(db: Db, integrationId: number, seconds: number, error: string): Promise<void> {
  await sql`
    update stock_links l set due_at = now() + make_interval(secs => ${seconds}), error = ${error}, updated_at = now()
    from (
      select id from stock_links where integration_id = ${integrationId} and due_at <= now() order by id for update
    ) due
    where l.id = due.id`.execute(db)
}

/** Whether there is something to tell the shop by now. */
export async function isDue(db: Db, integrationId: number): Promise<boolean> {
  const { rows } = await sql`
    select from stock_links where integration_id = ${integrationId} and due_at <= now() and wanted is not null limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Shops with links of a kind, each found by one step in the index of that kind, whatever the number of links: most shops have none, and a pool that is
 * dry has many.
 */
const shopsWith = (kind: RawBuilder<unknown>) => sql`
  with recursive found as (
    (select l.integration_id as id from stock_links l where ${kind} order by l.integration_id limit 1)
    union all
    select (select l.integration_id from stock_links l where ${kind} and l.integration_id > found.id
      order by l.integration_id limit 1)
    from found where found.id is not null
  ) select id from found where id is not null`

/** Shops that are to be told something, of pools that are on. */
export async function shopsToTell(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ integration_id: number }>`
    select s.integration_id from (${shopsWith(sql`l.due_at is not null`)}) due
    join stock_shops s on s.integration_id = due.id join stock_pools p on p.id = s.pool_id
    where p.mode = 'on' and s.active and (s.held_until is null or s.held_until < now())
      and exists (select from stock_links l where l.integration_id = due.id and l.due_at <= now())
    limit ${limit}`.execute(db)
  return rows.map(({ integration_id: id }) => id)
}

/** Shops, of pools that are on, that show something which nobody has explained yet. */
export const shopsWithDrift = (db: Db, limit: number): Promise<number[]> =>
  shopsThat(db, sql`l.seen_at is not null`, limit)

/** Shops, of pools that are on, that nobody has seen to show what they accepted. */
export const shopsUnconfirmed = (db: Db, limit: number): Promise<number[]> =>
  shopsThat(db, sql`l.accepted_at is not null and l.confirmed_at is null`, limit)

async function shopsThat(db: Db, kind: RawBuilder<unknown>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ integration_id: number }>`
    select s.integration_id from (${shopsWith(kind)}) found
    join stock_shops s on s.integration_id = found.id join stock_pools p on p.id = s.pool_id
    where p.mode = 'on' limit ${limit}`.execute(db)
  return rows.map(({ integration_id: id }) => id)
}
