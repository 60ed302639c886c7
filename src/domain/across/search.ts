import { chunks } from '../../lib/chunks.ts'
import { type PersonSought, wordsOfPerson } from '../../lib/sealing/person-words.ts'
import { blindWord } from '../../lib/sealing/record-box.ts'
import { keysForOpening } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import { type ShopName, shopsIn } from './across-store.ts'
import {
  type FoundMerchant,
  type FoundOrder,
  type FoundProduct,
  type FoundRun,
  merchantsCalled,
  ordersByTracking,
  ordersNumbered,
  ordersOfPerson,
  ordersWithRemoteId,
  productsCalled,
  runsNumbered,
} from './search-store.ts'

/** Anything of an app by whatever somebody has in hand. Of each kind so many at most: who sees more than that types on. */

export const maxOfKind = 8

/** By what an order was found. */
export type FoundBy = 'number' | 'tracking_number' | 'email' | 'phone' | 'name'

export interface Found {
  orders: (FoundOrder & { integration: ShopName; found_by: FoundBy })[]
  products: (FoundProduct & { integration: ShopName })[]
  shops: ShopName[]
  merchants: FoundMerchant[]
  runs: (FoundRun & { integration: ShopName })[]
}

/** What whoever asks may see. */
export interface Visible {
  orders: boolean
  shops: boolean
}

type Searching = Pick<Context, 'db' | 'reader'>

export async function search(
  searching: Searching,
  appId: number,
  { q, may }: { q: string; may: Visible },
): Promise<Found> {
  const { db } = searching
  const shops = await shopsIn(db, appId)
  const named = new Map(shops.map((shop) => [shop.id, shop]))
  const ids = [...named.keys()]
  const none = Promise.resolve([])
  const [orders, products, merchants, runs] = await Promise.all([
    may.orders && ids.length > 0 ? findOrders(searching, ids, q) : none,
    may.shops && ids.length > 0 && !isEmail(q) ? productsCalled(db, ids, { text: q, limit: maxOfKind }) : none,
    may.shops ? merchantsCalled(db, appId, { text: q, limit: maxOfKind }) : none,
    may.shops && ids.length > 0 && isNumber(q) ? runsNumbered(db, ids, { id: Number(q), limit: maxOfKind }) : none,
  ])
  const withShop = <Row extends { integration_id: number }>(row: Row) => {
    const integration = named.get(row.integration_id)
    return integration ? [{ ...row, integration }] : []
  }
  return {
    orders: orders.flatMap(withShop),
    products: products.flatMap(withShop),
    shops: may.shops ? shopsCalled(shops, q) : [],
    merchants,
    runs: runs.flatMap(withShop),
  }
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)
const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)
/** An e-mail address, or several words without a digit: no order and no parcel is called that, so that no shop is looked into for one. */
const isPersonOnly = (text: string): boolean => isEmail(text) || (/\s/.test(text) && !/\d/.test(text))

/** They have been read to name the rest; another statement would only read them again. */
function shopsCalled(shops: readonly ShopName[], text: string): ShopName[] {
  const wanted = text.toLowerCase()
  return shops.filter(({ name, shop }) => `${name} ${shop}`.toLowerCase().includes(wanted)).slice(0, maxOfKind)
}

async function findOrders(
  searching: Searching,
  ids: readonly number[],
  text: string,
): Promise<Omit<Found['orders'][number], 'integration'>[]> {
  const { db } = searching
  const limit = maxOfKind
  const asked = personIn(text)
  const isNamed = !(asked && isPersonOnly(text))
  const [numbered, known, sent, bought] = await Promise.all([
    isNamed ? ordersNumbered(db, ids, { numbers: spellings(text), limit }) : [],
    isNamed ? ordersWithRemoteId(db, ids, { remoteId: text, limit }) : [],
    isNamed ? ordersByTracking(db, ids, { number: text, limit }) : [],
    asked ? ordersBoughtBy(searching, ids, asked) : [],
  ])
  const all = [
    ...[...numbered, ...known]
      .sort((one, other) => other.id - one.id)
      .map((order) => ({ ...order, found_by: 'number' as const })),
    ...sent.map((order) => ({ ...order, found_by: 'tracking_number' as const })),
    ...bought.map((order) => ({ ...order, found_by: asked?.by ?? 'name' })),
  ]
  return [...new Map(all.map((order) => [`${order.integration_id} ${order.id}`, order])).values()].slice(0, limit)
}

/** People leave the sign of a number out, or write one where the shop has none. */
const spellings = (text: string): string[] => {
  const bare = text.replace(/^#/, '')
  return [...new Set([text, bare, `#${bare}`])]
}

interface PersonAsked {
  by: 'email' | 'phone' | 'name'
  sought: PersonSought
}

/** Whoever the text may be about; a single letter is nobody. */
export function personIn(text: string): PersonAsked | null {
  if (isEmail(text)) return { by: 'email', sought: { email: text } }
  if (/^\+?[\d\s()/.-]+$/.test(text)) {
    return text.replace(/\D/g, '').replace(/^0+/, '').length >= minDigits
      ? { by: 'phone', sought: { phone: text } }
      : null
  }
  return /^\p{L}[\p{L}\p{M}\s.,’'-]+$/u.test(text) ? { by: 'name', sought: { name: text } } : null
}

/** A shorter number is an extension, or an order's. */
const minDigits = 7
/**
 * Who has a name that many have is found in the first few of the shops, and there are as many of them as the shops have orders: so few
 * are looked into first, then more, and only for others all the rest.
 */
const shopsFirst = [10, 100]
/** A statement is about so many of them at most. */
const shopsAtOnce = 2000

function inTurn<T>(shops: readonly T[]): T[][] {
  let rest = shops
  const firsts = shopsFirst.map((count) => {
    const some = rest.slice(0, count)
    rest = rest.slice(count)
    return some
  })
  return [...firsts, ...chunks(rest, shopsAtOnce)].filter((some) => some.length > 0)
}

/** The same person is another hash in each shop, whose key makes it. */
async function ordersBoughtBy(
  { db }: Searching,
  ids: readonly number[],
  { sought }: PersonAsked,
): Promise<FoundOrder[]> {
  const words = wordsOfPerson(sought)
  if (words.length === 0) return []
  const keys = [...(await keysForOpening(db, ids))]
  const found: FoundOrder[] = []
  for (const some of inTurn(keys)) {
    const known = some.map(([id, key]) => ({ integration_id: id, hashes: words.map((word) => blindWord(key, word)) }))
    found.push(...(await ordersOfPerson(db, known, { limit: maxOfKind - found.length })))
    if (found.length >= maxOfKind) break
  }
  return found
}
