import { sql } from 'kysely'
import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { type Booking, type Movement, maxStock } from './stock.ts'

interface Balance {
  article_id: number
  place_id: number
  on_hand: number
  reserved: number
}

const placeOf = ({ article_id, place_id }: Pick<Balance, 'article_id' | 'place_id'>) => `${article_id} ${place_id}`
const nameOf = (one: Pick<Booking, 'source' | 'key' | 'article_id' | 'place_id'>) =>
  JSON.stringify([one.source, one.key, one.article_id, one.place_id])

/**
 * Books movements, each once: those that are in the ledger already are passed over. Balances are locked in one order and before
 * anything is read, so that sums are exact however many book at the same time. The answer is what is new.
 */
export async function book(trx: Db, poolId: number, bookings: readonly Booking[]): Promise<Movement[]> {
  if (bookings.length === 0) return []
  const { balances, at } = await lockBalances(trx, poolId, bookings)
  const known = await knownAmong(trx, poolId, bookings)
  const made: Omit<Movement, 'id'>[] = []
  for (const one of bookings) {
    if (known.has(nameOf(one))) continue
    known.add(nameOf(one))
    const balance = balances.get(placeOf(one))
    if (!balance) throw new Error('A balance was not locked.')
    const onHandBy = one.counted === undefined ? (one.on_hand_by ?? 0) : one.counted - balance.on_hand
    const reservedBy = one.reserved_by ?? 0
    balance.on_hand += onHandBy
    balance.reserved += reservedBy
    if (Math.abs(balance.on_hand) > maxStock || Math.abs(balance.reserved) > maxStock)
      throw invalidField('quantity', `The stock of an article may not exceed ${maxStock}.`)
    const { article_id, place_id, kind, source, key, integration_id = null, order_id = null, note = null } = one
    made.push({
      ...{ pool_id: poolId, article_id, place_id, kind, source, key, integration_id, order_id, note, at },
      ...{ on_hand_by: onHandBy, reserved_by: reservedBy, on_hand: balance.on_hand, reserved: balance.reserved },
    })
  }
  if (made.length === 0) return []
  await sql`
    update stock_balances b set on_hand = r.on_hand, reserved = r.reserved, at = ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify([...balances.values()])}::jsonb)
      r(article_id bigint, place_id bigint, on_hand bigint, reserved bigint)
    where b.article_id = r.article_id and b.place_id = r.place_id`.execute(trx)
  const { rows } = await sql<Movement>`
    insert into stock_movements (pool_id, article_id, place_id, kind, on_hand_by, reserved_by, on_hand, reserved, source, key,
      integration_id, order_id, note, at)
    select ${poolId}, r.article_id, r.place_id, r.kind, r.on_hand_by, r.reserved_by, r.on_hand, r.reserved, r.source, r.key,
      r.integration_id, r.order_id, r.note, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(made.map((one, place) => ({ ...one, place })))}::jsonb)
      r(place int, article_id bigint, place_id bigint, kind text, on_hand_by bigint, reserved_by bigint, on_hand bigint,
        reserved bigint, source text, key text, integration_id bigint, order_id bigint, note text)
    order by r.place
    returning ${movementColumns}`.execute(trx)
  return rows
}

export const movementColumnNames =
  'id, pool_id, article_id, place_id, kind, on_hand_by, reserved_by, on_hand, reserved, source, key, integration_id, order_id, note, at'
const movementColumns = sql.raw(movementColumnNames)

/** Read after the locks are held, and never before the last movement: within a balance, times follow the order of movements. */
async function lockBalances(trx: Db, poolId: number, bookings: readonly Booking[]) {
  const wanted = [...new Map(bookings.map((one) => [placeOf(one), one])).values()]
  const document = JSON.stringify(wanted.map(({ article_id, place_id }) => ({ article_id, place_id })))
  await sql`
    insert into stock_balances (article_id, place_id, pool_id)
    select r.article_id, r.place_id, ${poolId}
    from jsonb_to_recordset(${document}::jsonb) r(article_id bigint, place_id bigint)
    order by r.article_id, r.place_id
    on conflict (article_id, place_id) do nothing`.execute(trx)
  const { rows } = await sql<Balance & { at: string }>`
    select b.article_id, b.place_id, b.on_hand, b.reserved, b.at
    from stock_balances b
    join jsonb_to_recordset(${document}::jsonb) r(article_id bigint, place_id bigint)
      on b.article_id = r.article_id and b.place_id = r.place_id
    where b.pool_id = ${poolId}
    order by b.article_id, b.place_id
    for update of b`.execute(trx)
  const { rows: clock } = await sql<{ at: string }>`
    select greatest(clock_timestamp(), max(r.at)) as at from unnest(${rows.map(({ at }) => at)}::timestamptz[]) r(at)`.execute(
    trx,
  )
  const balances = new Map(
    rows.map(({ article_id, place_id, on_hand, reserved }) => [
      placeOf({ article_id, place_id }),
      { article_id, place_id, on_hand, reserved },
    ]),
  )
  return { balances, at: clock[0]?.at ?? '' }
}

async function knownAmong(trx: Db, poolId: number, bookings: readonly Booking[]): Promise<Set<string>> {
  const { rows } = await sql<Pick<Booking, 'source' | 'key' | 'article_id' | 'place_id'>>`
    select m.source, m.key, m.article_id, m.place_id
    from jsonb_to_recordset(${JSON.stringify(bookings)}::jsonb) r(source text, key text, article_id bigint, place_id bigint)
    join stock_movements m on m.pool_id = ${poolId} and m.source = r.source and m.key = r.key
      and m.article_id = r.article_id and m.place_id = r.place_id`.execute(trx)
  return new Set(rows.map(nameOf))
}

/** Movements by their names, whatever they are about. */
export async function movementsNamed(db: Db, poolId: number, source: string, keys: readonly string[]) {
  const { rows } = await sql<Movement>`
    select ${movementColumns} from stock_movements
    where pool_id = ${poolId} and source = ${source} and key = any(${[...keys]}::text[]) order by id`.execute(db)
  return rows
}

export interface Standing {
  on_hand: number
  reserved: number
  available: number
}

export interface PlaceStanding extends Standing {
  article_id: number
  place_id: number
}

/** What is there now, by place: one row for each. */
export async function balancesOf(db: Db, articleIds: readonly number[]): Promise<PlaceStanding[]> {
  if (articleIds.length === 0) return []
  const { rows } = await sql<PlaceStanding>`
    select article_id, place_id, on_hand, reserved, on_hand - reserved as available from stock_balances
    where article_id = any(${[...articleIds]}::bigint[]) order by article_id, place_id`.execute(db)
  return rows
}

/** What was there then: the last movement of each place that had been booked by that time. */
export async function balancesAt(db: Db, articleId: number, at: string): Promise<PlaceStanding[]> {
  const { rows } = await sql<PlaceStanding>`
    select b.article_id, b.place_id, m.on_hand, m.reserved, m.on_hand - m.reserved as available
    from stock_balances b cross join lateral (
      select on_hand, reserved from stock_movements
      where article_id = b.article_id and place_id = b.place_id and at <= ${at}::timestamptz
      order by at desc, id desc limit 1
    ) m
    where b.article_id = ${articleId} order by b.place_id`.execute(db)
  return rows
}

export const sumOf = (standings: readonly Standing[]): Standing =>
  standings.reduce(
    (sum, one) => ({
      on_hand: sum.on_hand + one.on_hand,
      reserved: sum.reserved + one.reserved,
      available: sum.available + one.available,
    }),
    { on_hand: 0, reserved: 0, available: 0 },
  )
