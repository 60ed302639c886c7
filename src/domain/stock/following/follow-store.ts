import { sql } from 'kysely'
import { readEverywhere } from '../../../runtime/db/citus/nodes.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { StockOrder } from './order-pieces.ts'

export interface Mark {
  what: string
  n: number
}

/** Orders before levels. */
export async function marksOf(db: Db, integrationId: number, limit: number): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    select what, n from stock_marks where integration_id = ${integrationId} order by what desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** What was marked again meanwhile stays. */
export async function clearMarks(db: Db, integrationId: number, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return
  await sql`
    delete from stock_marks m using jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) r(what text, n bigint)
    where m.integration_id = ${integrationId} and m.what = r.what and m.n = r.n`.execute(db)
}

/** Shops in which something waits that nobody was told of. */
export async function shopsWithMarks(db: Db): Promise<number[]> {
  const rows = await readEverywhere<{ integration_id: number }>(db, {
    table: 'stock_marks',
    rows: (table) => `with recursive shops as (
        select min(integration_id) as id from ${table}
        union all
        select (select min(m.integration_id) from ${table} m where m.integration_id > shops.id)
        from shops where shops.id is not null)
      select id as integration_id from shops where id is not null`,
    tail: '',
  })
  return rows.map((row) => row.integration_id)
}

export async function deleteMarks(trx: Db, integrationId: number): Promise<void> {
  await sql`delete from stock_marks where integration_id = ${integrationId}`.execute(trx)
}

const maxOpenOrders = 100_000

/** The newest of those that hold goods back. */
export async function openOrderIds(trx: Db, integrationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from orders where integration_id = ${integrationId} and deleted_at is null
      and status in ('UNPAID', 'ON_HOLD', 'PENDING', 'ACKNOWLEDGED')
    order by id desc limit ${maxOpenOrders}`.execute(trx)
  return rows.map(({ id }) => id)
}

export interface FollowedOrder extends StockOrder {
  placed_at: string
  sandbox: boolean
  by_platform: boolean
  incomplete: boolean
}

/** Nothing of who bought is read. */
export async function ordersToFollow(db: Db, integrationId: number, ids: readonly number[]): Promise<FollowedOrder[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<FollowedOrder>`
    select id, status, items, returns, deleted_at is not null as deleted, coalesce(placed_at, created_at) as placed_at, sandbox,
      coalesce(fulfilled_by = 'platform', false) as by_platform, incomplete
    from orders where integration_id = ${integrationId} and id = any(${[...ids]}::bigint[]) order by id`.execute(db)
  return rows
}

/** What the ledger has of one line of an order, for one article of which the line is made. */
export interface HeldLine {
  integration_id: number
  order_id: number
  line: string
  article_id: number
  place_id: number
  /** Pieces in one unit of the line. */
  per_unit: number
  /** Units that were refunded before they had left. */
  dropped: number
  before: number
  reserved: number
  sold: number
  returned: number
  steps: number
  placed_at: string
}

const lineColumns = sql.raw(
  'integration_id, order_id, line, article_id, place_id, per_unit, dropped, before, reserved, sold, returned, steps, placed_at',
)

export async function heldLines(trx: Db, integrationId: number, orderIds: readonly number[]): Promise<HeldLine[]> {
  const { rows } = await sql<HeldLine>`
    select ${lineColumns} from stock_order_lines
    where integration_id = ${integrationId} and order_id = any(${[...orderIds]}::bigint[])`.execute(trx)
  return rows
}

export async function openLinesOf(trx: Db, integrationId: number): Promise<HeldLine[]> {
  const { rows } = await sql<HeldLine>`
    select ${lineColumns} from stock_order_lines where integration_id = ${integrationId} and reserved > 0`.execute(trx)
  return rows
}

export async function saveLines(trx: Db, lines: readonly HeldLine[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    insert into stock_order_lines as o (${lineColumns})
    select ${lineColumns}
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) r(integration_id bigint, order_id bigint, line text,
      article_id bigint, place_id bigint, per_unit bigint, dropped bigint, before bigint, reserved bigint, sold bigint,
      returned bigint, steps int, placed_at timestamptz)
    on conflict (integration_id, order_id, line, article_id) do update
    set per_unit = excluded.per_unit, dropped = excluded.dropped, reserved = excluded.reserved, sold = excluded.sold,
      returned = excluded.returned, steps = excluded.steps`.execute(trx)
}

export async function deleteLines(trx: Db, integrationId: number, orderIds: readonly number[]): Promise<void> {
  await sql`
    delete from stock_order_lines
    where integration_id = ${integrationId} and order_id = any(${[...orderIds]}::bigint[])`.execute(trx)
}

/** What has happened to what a shop shows, by its own doing. */
export interface OwnDoing {
  link_id: number
  /** Units that the shop has counted down by itself. */
  sold: number
  /** It may show more than that: it was told something at about that time, and one of the two may have overwritten the other. */
  unsure: boolean
  /** Taken for what the shop was seen to show less, which another order may have been as well. */
  guessed: boolean
}

/** A shop counts down what it sells. What it was seen to show less is explained by that. */
export async function followShows(trx: Db, doings: readonly OwnDoing[]): Promise<void> {
  if (doings.length === 0) return
  await sql`
    update stock_links l set shows = l.shows - r.sold, doubt = l.doubt or r.unsure, updated_at = now(),
      blind_until = case when r.guessed then greatest(l.blind_until, now()) else l.blind_until end,
      own_sold = case when l.shows is null then l.own_sold + r.sold else l.own_sold end,
      seen = case when l.seen between l.shows - r.sold and l.shows then null else l.seen end,
      seen_at = case when l.seen between l.shows - r.sold and l.shows then null else l.seen_at end
    from (
      select link_id, sum(sold)::bigint as sold, bool_or(unsure) as unsure, bool_or(guessed) as guessed
      from jsonb_to_recordset(${JSON.stringify(doings)}::jsonb)
        r(link_id bigint, sold bigint, unsure boolean, guessed boolean)
      group by link_id
    ) r
    where l.id = r.link_id`.execute(trx)
}
