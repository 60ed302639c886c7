import { unitsOf } from '../../amounts.ts'
import { momentOf, toSecond } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { answer, type World } from '../../world.ts'
import { channels } from './ids.ts'
import { amazonChannelOf, type Listing, listingsOf, listingView, productTypeOf } from './listing-view.ts'
import { marketplace } from './order-view.ts'
import { invalid, no } from './reply.ts'

/** So many can be paged through at once. */
const maxPaged = 1000
const attributePath = /^\/attributes\/([a-z_]+)$/

export function createListings({ shop, settings }: World) {
  const { stockroom } = shop
  const both = settings.variant['fulfilled_by'] === 'both'
  const submitted = new Map<string, readonly Fields[]>()
  let submissions = 0
  let sorted: readonly Listing[] | null = null
  stockroom.onChange(() => {
    sorted = null
  })
  const all = () => {
    sorted ??= stockroom.byChange().flatMap(listingsOf)
    return sorted
  }
  const find = (sku: string) => {
    const variant = stockroom.bySku(sku)
    const index = variant ? variant.product : Number(/^FAMILY-(\d{5})$/.exec(sku)?.[1]) - 1
    const product = stockroom.product(index)
    return product ? listingsOf(product).find((one) => one.sku === sku) : undefined
  }
  const show = (listing: Listing, query: URLSearchParams) =>
    listingView(listing, query.get('includedData')?.split(',') ?? ['summaries'], {
      both,
      submitted: submitted.get(listing.sku),
    })

  function search({ query }: Call): Answer {
    const size = wholeOf(query.get('pageSize') ?? 10) ?? 0
    const start = wholeOf(query.get('pageToken') ?? 0) ?? -1
    if (query.get('marketplaceIds') !== marketplace.id || size < 1 || size > 20 || start < 0 || start >= maxPaged)
      return invalid()
    const [from, until] = ['lastUpdatedAfter', 'lastUpdatedBefore'].map((name) => momentOf(query.get(name) ?? ''))
    const parent = query.get('variationParentSku')
    const found = all().filter((one) => {
      const at = toSecond(one.product.updatedAt)
      if ((from != null && at < from) || (until != null && at > until)) return false
      return parent === null || (one.variant !== null && one.sku !== parent && find(parent)?.product === one.product)
    })
    const backwards = (a: Listing, b: Listing) => b.product.updatedAt - a.product.updatedAt
    const rows = query.get('sortOrder') === 'ASC' ? found : found.toSorted(backwards)
    const next = start + size
    return answer(200, {
      numberOfResults: found.length,
      items: rows.slice(start, next).map((one) => show(one, query)),
      ...(next < Math.min(rows.length, maxPaged) ? { pagination: { nextToken: String(next) } } : {}),
    })
  }

  const notFound = (sku: string) => no(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace ${marketplace.id}`)

  function get({ query }: Call, sku: string): Answer {
    const listing = find(sku)
    return listing ? answer(200, show(listing, query)) : notFound(sku)
  }

  /** What is wrong is told with status 200; the sentence if anything is. */
  function apply(sku: string, productType: unknown, attributes: Fields, record: Recorder): string | null {
    const listing = find(sku)
    if (!listing || (listing.variant && productType !== productTypeOf(listing.product)))
      return 'The product type is not that of the listing.'
    const { product, variant } = listing
    const levels = attributes['fulfillment_availability']
    if (levels !== undefined && variant) {
      const entries = listOf(levels).map(fieldsOf)
      const counted = entries.map(
        (one) => [channels.indexOf(String(one[channelCode])), wholeOf(one['quantity'])] as const,
      )
      if (amazonChannelOf(listing, both)) return 'The article is fulfilled by Amazon.'
      if (counted.some(([location, quantity]) => location < 0 || quantity === null || quantity < 0))
        return 'The attributes are invalid.'
      submitted.set(sku, entries)
      for (const [location, quantity] of counted) {
        if (quantity === null || variant.stock[location] === quantity) continue
        stockroom.setStock(variant, location, quantity)
        record.effect('inventory.set', `${sku}@${channels[location]}`)
      }
    }
    const title = textOf(fieldsOf(listOf(attributes['item_name'])[0])['value'])
    const price = priceIn(attributes)
    if (title !== null && title !== product.title) {
      stockroom.change(product, { title })
      record.effect('product.update', sku)
    }
    if (price !== null && variant && price !== variant.price) {
      stockroom.reprice(variant, price)
      record.effect('price.set', sku)
    }
    return null
  }

  const outcome = (sku: string, wrong: string | null): Answer =>
    answer(200, {
      ...{ sku, submissionId: `submission-${++submissions}`, status: wrong === null ? 'ACCEPTED' : 'INVALID' },
      issues:
        wrong === null
          ? []
          : [{ code: '90000900', message: wrong, severity: 'ERROR', categories: ['INVALID_ATTRIBUTE'] }],
    })

  /** Of what patches say; a path other than that of an attribute is nothing. */
  function patch(sku: string, input: Fields, record: Recorder): string | null {
    const received = listOf(input['patches']).map(fieldsOf)
    const named = received.map((one) => [attributePath.exec(String(one['path']))?.[1] ?? '', one['value']] as const)
    if (named.length === 0 || named.some(([name]) => name === '')) return 'The attributes are invalid.'
    return apply(sku, input['productType'], Object.fromEntries(named), record)
  }

  /** Makes the listing where there is none. */
  function put(sku: string, input: Fields, record: Recorder): string | null {
    const attributes = fieldsOf(input['attributes'])
    if (find(sku)) return apply(sku, input['productType'], attributes, record)
    const title = textOf(fieldsOf(listOf(attributes['item_name'])[0])['value'])
    const price = priceIn(attributes)
    if (title === null || price === null) return 'item_name and purchasable_offer are required.'
    const type = textOf(input['productType']) ?? ''
    const variants = [{ sku, title: 'Default Title', price, stock: 0 }]
    stockroom.add({ title, type, html: '', status: 'active', images: [], variants })
    record.effect('product.create', sku, null, sku)
    return apply(sku, type.toUpperCase() || 'PRODUCT', { ...attributes, item_name: undefined }, record)
  }

  return {
    search,
    get,
    patch: (call: Call, record: Recorder, sku: string) =>
      find(sku) ? outcome(sku, patch(sku, call.fields(), record)) : notFound(sku),
    put: (call: Call, record: Recorder, sku: string) => outcome(sku, put(sku, call.fields(), record)),
    /** One message of a feed of listings; what is wrong with it, if anything is. */
    submit(message: Fields, record: Recorder): string | null {
      const sku = textOf(message['sku']) ?? ''
      const kind = message['operationType']
      if (kind === 'PATCH') return find(sku) ? patch(sku, message, record) : `SKU '${sku}' not found.`
      return kind === 'UPDATE' ? put(sku, message, record) : 'The operationType is not supported.'
    },
  }
}

const channelCode = 'fulfillment_channel_code'

function priceIn(attributes: Fields): number | null {
  const [offer] = listOf(attributes['purchasable_offer'])
  const [ours] = listOf(fieldsOf(offer)['our_price'])
  const [schedule] = listOf(fieldsOf(ours)['schedule'])
  return unitsOf(fieldsOf(schedule)['value_with_tax'], marketplace.currency)
}
