import { chunks } from '../../lib/chunks.ts'
import { type PersonSought, wordsOfPerson } from '../../lib/sealing/person-words.ts'
import { blindWord } from '../../lib/sealing/record-box.ts'
import { keysForOpening } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import { type ShopName, shopsIn } from './across-store.ts'
import {
  type FoundInShops,
  type FoundMerchant,
  type FoundOrder,
  type FoundProduct,
  type FoundRun,
  findInShops,
  type KnownAs,
  merchantsCalled,
  type Sought,
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

/** Shops and merchants by one read each; what is in the shops by one statement for two thousand of them, whatever the text may be. */
export async function search(
  { db }: Pick<Context, 'db'>,
  appId: number,
  { q, may }: { q: string; may: Visible },
): Promise<Found> {
  const [shops, merchants] = await Promise.all([
    shopsIn(db, appId),
    may.shops ? merchantsCalled(db, appId, { text: q, limit: maxOfKind }) : [],
  ])
  const named = new Map(shops.map((shop) => [shop.id, shop]))
  const person = may.orders ? personIn(q) : null
  const sought = { ...(may.orders && orderNamed(q)), ...(may.shops && thingNamed(q)) }
  const { numbered, tracked, bought, products, runs } = await findInAll(db, [...named.keys()], { sought, person })
  const withShop = <Row extends { integration_id: number }>(row: Row) => {
    const integration = named.get(row.integration_id)
    return integration ? [{ ...row, integration }] : []
  }
  const orders = [
    ...numbered.sort((one, other) => other.id - one.id).map((order) => ({ ...order, found_by: 'number' as const })),
    ...tracked.map((order) => ({ ...order, found_by: 'tracking_number' as const })),
    ...bought.map((order) => ({ ...order, found_by: person?.by ?? 'name' })),
  ]
  return {
    orders: onlyOnce(orders).slice(0, maxOfKind).flatMap(withShop),
    products: products.flatMap(withShop),
    shops: may.shops ? shopsCalled(shops, q) : [],
    merchants,
    runs: runs.flatMap(withShop),
  }
}

/** Each shop is a look into every index, and for a person a key: of very many shops it is several statements, none of which takes long. */
async function findInAll(
  db: Context['db'],
  ids: readonly number[],
  { sought, person }: { sought: Sought; person: PersonAsked | null },
): Promise<FoundInShops> {
  const all: FoundInShops = { numbered: [], tracked: [], bought: [], products: [], runs: [] }
  for (const some of chunks(ids, shopsAtOnce)) {
    const isSought = person !== null && all.bought.length < maxOfKind
    const buyer = isSought ? inTurn(await knownIn(db, some, person)) : []
    const found = await findInShops(db, some, { sought: { ...sought, buyer }, limit: maxOfKind })
    all.numbered.push(...found.numbered)
    all.tracked.push(...found.tracked)
    all.bought.push(...found.bought)
    all.products.push(...found.products)
    all.runs.push(...found.runs)
  }
  all.products.sort((one, other) => other.id - one.id)
  return { ...all, products: all.products.slice(0, maxOfKind) }
}

/** What was found in several ways stands where it was found first. */
function onlyOnce<Row extends { integration_id: number; id: number }>(rows: readonly Row[]): Row[] {
  const first = new Map<string, Row>()
  for (const row of rows) {
    const key = `${row.integration_id} ${row.id}`
    if (!first.has(key)) first.set(key, row)
  }
  return [...first.values()]
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

/** As the number of an order, the shop's id of it, or the number of one of its parcels. */
const orderNamed = (text: string): Sought =>
  personIn(text) && isPersonOnly(text) ? {} : { numbers: spellings(text), remoteId: text, trackingNumber: text }

const thingNamed = (text: string): Sought => ({
  ...(!isEmail(text) && { sku: text }),
  ...(isNumber(text) && { runId: Number(text) }),
})

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

/** Whoever has these words of a name has been found; each of them is another look into the index. */
const maxWords = 8

/** The groups of shops that one statement looks into, one after the other. */
function inTurn<T>(shops: readonly T[]): T[][] {
  let rest = shops
  const firsts = shopsFirst.map((count) => {
    const some = rest.slice(0, count)
    rest = rest.slice(count)
    return some
  })
  return [...firsts, [...rest]].filter((some) => some.length > 0)
}

/** The same person is another hash in each shop, whose key makes it. */
async function knownIn(db: Context['db'], ids: readonly number[], { sought }: PersonAsked): Promise<KnownAs[]> {
  const words = [...new Set(wordsOfPerson(sought))].slice(0, maxWords)
  if (words.length === 0) return []
  const keys = await keysForOpening(db, ids)
  return [...keys].map(([id, key]) => ({ integration_id: id, hashes: words.map((word) => blindWord(key, word)) }))
}
