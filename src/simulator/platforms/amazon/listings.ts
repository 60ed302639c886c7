import { momentOf, toSecond } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, rowsOf, wholeOf } from '../../json.ts'
import type { World } from '../../world.ts'
import { amazonChannelOf, channels, type Listing, listingsOf, listingView, productTypeOf } from './listing-view.ts'
import { marketplace } from './order-view.ts'
import { invalid, no } from './reply.ts'

/** So many can be paged through at once. */
const maxPaged = 1000
const badAttributes = 'The attributes are invalid.'

export function listingRoutes({ shop, settings }: World, seller: string): readonly RouteRow[] {
  const { stockroom } = shop
  const both = settings.variant['fulfilled_by'] === 'both'
  const submitted = new Map<string, readonly Fields[]>()
  let submissions = 0
  let sorted: readonly Listing[] | null = null
  stockroom.onChange(() => {
    sorted = null
  })
  const find = (sku: string) => {
    const index = stockroom.bySku(sku)?.product ?? Number(/^FAMILY-(\d{5})$/.exec(sku)?.[1]) - 1
    const product = stockroom.product(index)
    return product ? listingsOf(product).find((one) => one.sku === sku) : undefined
  }
  const show = (listing: Listing, { query }: Call) => {
    const wanted = query.get('includedData')?.split(',') ?? ['summaries']
    return listingView(listing, wanted, { both, submitted: submitted.get(listing.sku) })
  }

  function search(call: Call): Answer {
    const { query } = call
    const size = wholeOf(query.get('pageSize') ?? 10) ?? 0
    const start = wholeOf(query.get('pageToken') ?? 0) ?? -1
    if (query.get('marketplaceIds') !== marketplace.id || size < 1 || size > 20 || start < 0 || start >= maxPaged)
      return invalid()
    const [from, until] = ['lastUpdatedAfter', 'lastUpdatedBefore'].map((name) => momentOf(query.get(name) ?? ''))
    const parent = query.get('variationParentSku')
    const family = parent === null ? null : find(parent)?.product
    sorted ??= stockroom.byChange().flatMap(listingsOf)
    const found = sorted.filter(({ product, variant, sku }) => {
      const at = toSecond(product.updatedAt)
      const within = (from == null || at >= from) && (until == null || at <= until)
      return within && (parent === null || (variant !== null && sku !== parent && family === product))
    })
    const backwards = (a: Listing, b: Listing) => b.product.updatedAt - a.product.updatedAt
    const rows = query.get('sortOrder') === 'ASC' ? found : found.toSorted(backwards)
    const next = start + size
    return answer(200, {
      numberOfResults: found.length,
      items: rows.slice(start, next).map((one) => show(one, call)),
      ...(next < Math.min(rows.length, maxPaged) ? { pagination: { nextToken: String(next) } } : {}),
    })
  }

  /** How much there is of an article, by where it is sent from. What is wrong with that is told with status 200. */
  function submit({ sku, product, variant }: Listing, input: Fields, record: Recorder): string | null {
    const [{ path, value } = {}, ...others] = rowsOf(input['patches'])
    if (path !== '/attributes/fulfillment_availability' || others.length > 0 || !variant) return badAttributes
    if (input['productType'] !== productTypeOf(product)) return 'The product type is not that of the listing.'
    if (amazonChannelOf(product, both)) return 'The article is fulfilled by Amazon.'
    const levels = rowsOf(value).map(({ fulfillment_channel_code: code, quantity }) => ({
      ...{ location: channels.indexOf(String(code)), quantity: wholeOf(quantity) ?? -1 },
    }))
    if (levels.some(({ location, quantity }) => location < 0 || quantity < 0)) return badAttributes
    submitted.set(sku, rowsOf(value))
    for (const { location, quantity } of levels)
      if (stockroom.setStock(variant, location, quantity))
        record.effect('inventory.set', `${sku}@${channels[location]}`)
    return null
  }
  function patch(listing: Listing, call: Call, record: Recorder): Answer {
    const wrong = submit(listing, call.fields(), record)
    const issue = { code: '90000900', message: wrong, severity: 'ERROR', categories: ['INVALID_ATTRIBUTE'] }
    const status = wrong === null ? { status: 'ACCEPTED', issues: [] } : { status: 'INVALID', issues: [issue] }
    return answer(200, { sku: listing.sku, submissionId: `submission-${++submissions}`, ...status })
  }

  const known = forOne(find, (sku) => no(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace ${marketplace.id}`))
  const base = `/listings/2021-08-01/items/${seller}`
  return [
    ['GET', base, 'searchListingsItems', search],
    ['GET', `${base}/:sku`, 'getListingsItem', known((listing, call) => answer(200, show(listing, call)))],
    ['PATCH', `${base}/:sku`, 'patchListingsItem', known(patch)],
  ]
}
