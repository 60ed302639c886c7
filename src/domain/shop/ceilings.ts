import type { IndexPage, RawPage, ReadQuery, Reads } from '../../commerce/connector/reads.ts'
import type { Connector } from '../../commerce/connector.ts'
import { type RemoteRequest, shopAway } from '../../commerce/remote.ts'
import type { AnyFields, Shop, ShopFacts } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault } from '../../lib/fault.ts'
import { countParts } from '../../lib/foreign/portions.ts'

/**
 * What a shop may send at most, whoever asks it and by whichever connector: we ask for a page, and the shop decides what
 * comes. Without these, one shop that answers with millions of records keeps the process from everybody else.
 */
export function withCeilings(connector: Connector): Connector {
  const known = bounded.get(connector)
  if (known) return known
  const { auth, orders, products, inventory } = connector
  const { checkRights } = auth
  const made: Connector = {
    ...connector,
    auth: {
      ...auth,
      checkAccess: (shop) => readable(auth.checkAccess(shop)),
      ...(checkRights && { checkRights: (shop: AnyShop) => readable(checkRights(shop)) }),
    },
    ...(orders && {
      orders: { ...orders, ...boundedReads(orders), statuses: (shop) => readable(orders.statuses(shop)) },
    }),
    ...(products && { products: { ...products, ...boundedReads(products) } }),
    ...(inventory && { inventory: { ...inventory, ...boundedReads(inventory) } }),
  }
  bounded.set(connector, made)
  return made
}

const bounded = new WeakMap<Connector, Connector>()

type AnyShop = Shop<AnyFields, AnyFields>

/** More than a platform gives unasked, and few enough to be gone through at once. */
const maxRecords = ({ limit }: ReadQuery) => Math.max(1000, 4 * limit)
const maxIndexed = 10_000
const maxSeveral = (asked: number) => 10 + 2 * asked

/** An order of 2,500 lines has as many. */
const maxParts = 100_000

/** A single record is no list. */
const maxRecordBytes = 4 * 1024 * 1024

/**
 * All answers that are put together for one call: what belongs to the records of a page is asked for beside it, page by page, and a shop that
 * sends ten megabytes for each would have all memory before the first record is looked at.
 */
const maxTogetherBytes = 24 * 1024 * 1024

function boundedReads<Item>({ list, get, getSeveral, index, translate }: Reads<AnyFields, AnyFields, Item>) {
  return {
    async list(shop: AnyShop, query: ReadQuery): Promise<RawPage> {
      const page = await readable(list(together(shop), query))
      atMost(maxRecords(query), page.items)
      return page
    },
    translate(raw: unknown, facts: ShopFacts): Item {
      if (countParts(raw, maxParts) > maxParts) throw new TypeError(`The record has more than ${maxParts} parts.`)
      return translate(raw, facts)
    },
    ...(get && { get: (shop: AnyShop, id: string) => readable(get(together(withBytes(shop, maxRecordBytes)), id)) }),
    ...(getSeveral && {
      async getSeveral(shop: AnyShop, ids: readonly string[]) {
        const records = await readable(getSeveral(together(shop), ids))
        atMost(maxSeveral(ids.length), records)
        return records
      },
    }),
    ...(index && {
      async index(shop: AnyShop, window: Parameters<typeof index>[1]): Promise<IndexPage> {
        const page = await readable(index(together(shop), window))
        atMost(maxIndexed, page.items)
        return page
      },
    }),
  }
}

function atMost(max: number, records: readonly unknown[]): void {
  if (records.length <= max) return
  throw shopAway(5, undefined, say('too_many_records', { records: records.length, max }))
}

const withBytes = (shop: AnyShop, maxBytes: number): AnyShop => ({
  ...shop,
  remote: { request: (request: RemoteRequest) => shop.remote.request({ maxBytes, ...request }) },
})

function together(shop: AnyShop): AnyShop {
  let left = maxTogetherBytes
  return {
    ...shop,
    remote: {
      async request(request: RemoteRequest) {
        const answer = await shop.remote.request(request)
        // A report of a whole catalogue has a ceiling of its own.
        if (request.maxBytes === undefined) left -= answer.bytes ?? 0
        if (left >= 0) return answer
        const problem = `more than ${maxTogetherBytes / 1024 / 1024} MB for one page`
        throw shopAway(30, undefined, say('answer_not_taken', { problem }))
      },
    },
  }
}

/** A connector that cannot read an answer throws whatever it likes: the shop's nonsense is no fault of ours. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Fault || !(error instanceof TypeError || error instanceof SyntaxError)) throw error
    throw shopAway(5, error, say('not_understood', { problem: error.message }))
  }
}
