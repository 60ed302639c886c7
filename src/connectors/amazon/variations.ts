import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { arrayIn, type Fields, fieldsOf, recordsIn, textIn, timeIn } from '../../commerce/reading.ts'
import { getListing, listKinds, listListings, summaryOf } from './listings.ts'
import { type AmazonFacts, type AmazonShop, homeOf } from './settings.ts'

/**
 * What comes in several kinds (sizes, colours) is a family at Amazon: a listing that nobody can buy, and one for each kind.
 * Here it is one product, under the number of the first, with the others as its variants.
 */
export async function listProducts(shop: AmazonShop, query: ReadQuery): Promise<RawPage> {
  const page = await listListings(shop, query)
  const families = new Map<string, Fields | null>()
  const items: Fields[] = []
  for (const listing of page.items.map(fieldsOf)) {
    const head = headOf(listing, shop)
    if (head !== null && !families.has(head)) families.set(head, await familyOf(shop, head))
    const family = head === null ? null : families.get(head)
    if (!family || !membersOf(family).some(({ sku }) => sku === listing['sku'])) items.push(listing)
    // Listings come by their last change: a family is reported once, with the one of it that changed last.
    else if (stampOf(listing, shop) === latestIn(family, shop)) items.push(family)
  }
  return { ...page, items }
}

export async function getProduct(shop: AmazonShop, sku: string): Promise<Fields | null> {
  const listing = await getListing(shop, sku)
  const head = listing && headOf(listing, shop)
  const family = head === null ? null : await familyOf(shop, head)
  if (!family) return listing
  // One of several kinds is no product of its own.
  return head === sku ? family : null
}

/** Null where the seller does not have the listing that the kinds are of: then each stands by itself. */
async function familyOf(shop: AmazonShop, sku: string): Promise<Fields | null> {
  const parent = await getListing(shop, sku)
  const children = parent === null ? [] : await listKinds(shop, sku)
  return children.length === 0 ? null : { ...parent, children }
}

const membersOf = (family: Fields): readonly Fields[] => [family, ...recordsIn(family, 'children')]

const stampOf = (listing: Fields, facts: AmazonFacts): string =>
  `${timeIn(summaryOf(listing, facts), 'lastUpdatedDate')} ${textIn(listing, 'sku')}`

const latestIn = (family: Fields, facts: AmazonFacts): string =>
  membersOf(family)
    .map((one) => stampOf(one, facts))
    .reduce((a, b) => (a > b ? a : b))

/** The number of the family that a listing belongs to. */
function headOf(listing: Fields, facts: AmazonFacts): string | null {
  const own = variationsOf(listing, facts)
  const [parent] = own.flatMap((one) => (one['parentSkus'] == null ? [] : arrayIn(one, 'parentSkus').map(String)))
  const isHead = own.some((one) => one['childSkus'] != null && arrayIn(one, 'childSkus').length > 0)
  return parent ?? (isHead ? textIn(listing, 'sku') : null)
}

/** There are packages in packages as well, which are none of this. */
export function variationsOf(listing: Fields, facts: AmazonFacts): readonly Fields[] {
  const { id } = homeOf(facts)
  const places = listing['relationships'] == null ? [] : recordsIn(listing, 'relationships')
  return places
    .filter((place) => place['marketplaceId'] === id)
    .flatMap((place) => recordsIn(place, 'relationships'))
    .filter((one) => one['type'] === 'VARIATION')
}
