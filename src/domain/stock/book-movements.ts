import { invalid } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import { type Article, articlesByIds, articlesBySku, partsOf } from './articles/article-store.ts'
import { cancelShort } from './cancel-oversold.ts'
import { balancesOf, book, movementsNamed, sumOf } from './ledger-store.ts'
import { findOversold } from './oversold.ts'
import { firstPlace, placesNamed } from './places.ts'
import { holdPool } from './pool-store.ts'
import type { Booking, Movement, MovementKind, Pool } from './stock.ts'
import { aimAt, holdArticles } from './targets.ts'

/** A movement as somebody outside tells it: an ERP, a scanner, a person. */
export interface MovementWish {
  /** The caller's own name for it: told again, it is the same one. */
  key: string
  kind: MovementKind
  sku: string
  /** Of a count: how many are there. Of a correction: by how many more or fewer. Of all others: how many. */
  quantity: number
  place?: string | null | undefined
  /** Of a transfer. */
  to_place?: string | null | undefined
  note?: string | null | undefined
}

export interface Booked {
  /** As many as were asked for; those of a transfer are two. */
  movements: Movement[]
  /** How many of them are new. */
  booked: number
}

/** Books them all or none. What was booked under the same key before is answered as it is, if it says the same. */
export async function bookMovements(
  context: Pick<Context, 'transaction' | 'enqueue'>,
  pool: Pool,
  { source, wishes }: { source: string; wishes: readonly MovementWish[] },
): Promise<Booked> {
  return await context.transaction(async (trx) => {
    // None of the articles becomes a bundle meanwhile.
    await holdPool(trx, pool.id)
    const places = await placesNamed(
      trx,
      pool.id,
      wishes.flatMap(({ place, to_place: to }) => [place ?? firstPlace, ...(to == null ? [] : [to])]),
      'place',
    )
    const articles = await articlesBySku(trx, pool.id, [...new Set(wishes.map(({ sku }) => sku))])
    await assertPlain(trx, articles, wishes)
    const placeId = (name: string) => places.get(name)?.id ?? 0
    const bookings = wishes.flatMap((wish) => bookingsOf(wish, source, articles, placeId))
    const made = await bookAndAim(context, trx, pool, bookings)
    const keys = [...new Set(bookings.map(({ key }) => key))]
    const movements = await movementsNamed(trx, pool.id, source, keys)
    assertSame(wishes, bookings, movements)
    return { movements, booked: made.length }
  })
}

/** Books, says what follows for the shops, and tells the app. */
export async function bookAndAim(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  pool: Pool,
  bookings: readonly Booking[],
): Promise<Movement[]> {
  await holdArticles(trx, pool.id, [...new Set(bookings.map((one) => one.article_id))])
  const made = await book(trx, pool.id, bookings)
  if (made.length === 0) return made
  const articleIds = [...new Set(made.map((one) => one.article_id))]
  await aimAt(trx, pool.id, { articleIds })
  await emitChanges(trx, pool, articleIds, made[0]?.at ?? '')
  await cancelShort(context, trx, pool, await findOversold(trx, pool, made))
  return made
}

async function emitChanges(trx: Db, pool: Pool, articleIds: readonly number[], at: string): Promise<void> {
  const balances = await balancesOf(trx, articleIds)
  const articles = await articlesByIds(trx, pool.id, articleIds)
  await emitEvents(
    trx,
    articles.map(({ id, sku }) =>
      newEvent(
        'stock.changed',
        { appId: pool.app_id },
        {
          subject: `stock:${pool.id}:${id}`,
          data: {
            ...{ account_id: pool.account_id, article_id: id, sku, changed_at: at },
            ...sumOf(balances.filter((one) => one.article_id === id)),
          },
        },
      ),
    ),
  )
}

async function assertPlain(trx: Db, articles: ReadonlyMap<string, Article>, wishes: readonly MovementWish[]) {
  const bundles = await partsOf(
    trx,
    [...articles.values()].map(({ id }) => id),
  )
  const errors: Record<string, string[]> = {}
  for (const [n, wish] of wishes.entries()) {
    const article = articles.get(wish.sku)
    const name = (field: string) => `movements.${n}.${field}`
    if (!article) errors[name('sku')] = ['No article of the pool has this SKU.']
    else if (bundles.has(article.id)) errors[name('sku')] = ['A bundle has no stock of its own: book its parts.']
    if (wish.kind !== 'correction' && wish.quantity < 0)
      errors[name('quantity')] = ['Only a correction may be negative.']
    const isTransfer = wish.kind === 'transfer'
    if (isTransfer && (wish.to_place == null || wish.to_place === (wish.place ?? firstPlace)))
      errors[name('to_place')] = ['A transfer goes from one place to another.']
    if (!isTransfer && wish.to_place != null) errors[name('to_place')] = ['Only a transfer goes to another place.']
  }
  const keys = wishes.map(({ key }) => key)
  for (const [n, key] of keys.entries())
    if (keys.indexOf(key) !== n) errors[`movements.${n}.key`] = ['Each movement has a key of its own.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

function bookingsOf(
  wish: MovementWish,
  source: string,
  articles: ReadonlyMap<string, Article>,
  placeId: (name: string) => number,
): Booking[] {
  const { key, kind, quantity, note = null } = wish
  const common = { article_id: articles.get(wish.sku)?.id ?? 0, kind, source, key, note }
  const here = { ...common, place_id: placeId(wish.place ?? firstPlace) }
  switch (kind) {
    case 'count':
      return [{ ...here, counted: quantity }]
    case 'sale':
      return [{ ...here, on_hand_by: -quantity }]
    case 'transfer':
      return [
        { ...here, on_hand_by: -quantity },
        { ...common, place_id: placeId(wish.to_place ?? ''), on_hand_by: quantity },
      ]
    case 'reservation':
      return [{ ...here, reserved_by: quantity }]
    case 'release':
      return [{ ...here, reserved_by: -quantity }]
    default:
      return [{ ...here, on_hand_by: quantity }]
  }
}

/** A key names one movement for ever: another one under it is a mistake of the caller, and not passed over in silence. */
function assertSame(wishes: readonly MovementWish[], bookings: readonly Booking[], movements: readonly Movement[]) {
  const errors: Record<string, string[]> = {}
  for (const [n, { key }] of wishes.entries()) {
    const wanted = bookings.filter((one) => one.key === key)
    const held = movements.filter((one) => one.key === key)
    const isSame =
      wanted.length === held.length &&
      wanted.every((one) =>
        held.some(
          (other) =>
            other.article_id === one.article_id &&
            other.place_id === one.place_id &&
            other.kind === one.kind &&
            (one.counted === undefined
              ? other.on_hand_by === (one.on_hand_by ?? 0) && other.reserved_by === (one.reserved_by ?? 0)
              : other.on_hand === one.counted),
        ),
      )
    if (!isSame) errors[`movements.${n}.key`] = ['Another movement has this key already.']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
