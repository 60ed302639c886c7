import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import {
  type Fields,
  fieldsOf,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeOf,
} from '../../commerce/reading.ts'
import { listByTime, secondsFrom } from '../../commerce/wire/time-pages.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { ask } from './ask.ts'
import { type AmazonFacts, type AmazonShop, homeOf, sellerOf } from './settings.ts'

const maxListings = 20

const includedData = 'summaries,attributes,offers,fulfillmentAvailability,relationships'

const pathOf = (facts: AmazonFacts): string => `/listings/2021-08-01/items/${sellerOf(facts)}`

export const listingPath = (facts: AmazonFacts, sku: string): string => `${pathOf(facts)}/${encodeURIComponent(sku)}`

/** No more than a thousand can be paged through at once, so it goes on from the last change that was read. */
export async function listListings(shop: AmazonShop, { limit, ...query }: ReadQuery): Promise<RawPage> {
  const size = Math.min(limit, maxListings)
  return await listByTime(
    {
      size,
      idOf: (listing) => encodeURIComponent(textIn(listing, 'sku')),
      timeOf: (listing) => timeOf(textIn(summaryOf(listing, shop), 'lastUpdatedDate')),
      ask: async ({ from, until, page }) => {
        const asked = {
          marketplaceIds: homeOf(shop).id,
          includedData,
          sortBy: 'lastUpdatedDate',
          sortOrder: 'ASC',
          lastUpdatedAfter: from && `${from}Z`,
          lastUpdatedBefore: until && `${secondsFrom(until, -1)}.999Z`,
          pageSize: size,
        }
        let answer = await askPage(shop, asked)
        // Pages have no numbers there: each one names the next.
        for (let number = 1; number < page; number++) {
          if (answer.next === null) return { rows: [], total: answer.total }
          answer = await askPage(shop, { ...asked, pageToken: answer.next })
        }
        return answer
      },
    },
    query,
  )
}

async function askPage(
  shop: AmazonShop,
  query: NonNullable<Parameters<typeof ask>[1]['query']>,
): Promise<{ rows: readonly Fields[]; total: number; next: string | null }> {
  const body = fieldsOf(await ask(shop, { path: pathOf(shop), query, budget: 'search_listings' }))
  return {
    rows: recordsIn(body, 'items'),
    total: numberIn(body, 'numberOfResults'),
    next: maybeText(maybeFields(body, 'pagination') ?? {}, 'nextToken'),
  }
}

/** All that are kinds of this one. */
export async function listKinds(shop: AmazonShop, sku: string): Promise<readonly Fields[]> {
  const asked = { marketplaceIds: homeOf(shop).id, includedData, variationParentSku: sku, pageSize: maxListings }
  const all: Fields[] = []
  for (let pageToken: string | null = null; ; ) {
    const answer = await askPage(shop, { ...asked, pageToken })
    all.push(...answer.rows)
    pageToken = answer.next
    if (pageToken === null) return all
  }
}

export async function getListing(shop: AmazonShop, sku: string, data = includedData): Promise<Fields | null> {
  const query = { marketplaceIds: homeOf(shop).id, includedData: data }
  const listing = await ask(shop, { path: listingPath(shop, sku), query, budget: 'get_listing' })
  return listing === null ? null : fieldsOf(listing)
}

/** What the marketplace of this shop says of a listing, which may be on several. */
export function summaryOf(listing: Fields, facts: AmazonFacts): Fields {
  const { id } = homeOf(facts)
  const summary = recordsIn(listing, 'summaries').find((one) => one['marketplaceId'] === id)
  if (!summary) throw new Unreadable(say('not_on_marketplace', { marketplace: id }))
  return summary
}
