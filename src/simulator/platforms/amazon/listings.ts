import { unitsOf } from '../../amounts.ts'
import { momentOf, toSecond } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { RouteRow } from '../../http/route-table.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { answer, type World } from '../../world.ts'
import { amazonChannelOf, channels, type Listing, listingsOf, listingView, productTypeOf } from './listing-view.ts'
import { marketplace } from './order-view.ts'
import { invalid, no } from './reply.ts'

/** So many can be paged through at once. */
const maxPaged = 1000
const attributePath = /^\/attributes\/([a-z_]+)$/
const badAttributes = 'The attributes are invalid.'

export function createListings({ shop, settings }: World, seller: string) {
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

  /** What is wrong is told with status 200; the sentence if anything is. */
  function apply(sku: string, productType: unknown, attributes: Fields, record: Recorder): string | null {
    const listing = find(sku)
    if (!listing) return `SKU '${sku}' not found.`
    const { product, variant } = listing
    if (variant && productType !== productTypeOf(product)) return 'The product type is not that of the listing.'
    const levels = attributes['fulfillment_availability']
    if (levels !== undefined && variant) {
      const entries = listOf(levels).map(fieldsOf)
      const counted = entries.map(({ fulfillment_channel_code: code, quantity }) => ({
        ...{ location: channels.indexOf(String(code)), quantity: wholeOf(quantity) ?? -1 },
      }))
      if (amazonChannelOf(listing, both)) return 'The article is fulfilled by Amazon.'
      if (counted.some(({ location, quantity }) => location < 0 || quantity < 0)) return badAttributes
      submitted.set(sku, entries)
      for (const { location, quantity } of counted)
        if (stockroom.setStock(variant, location, quantity))
          record.effect('inventory.set', `${sku}@${channels[location]}`)
    }
    const [title, price] = [titleIn(attributes), priceIn(attributes)]
    if (title !== null && title !== product.title) {
      stockroom.change(product, { title })
      record.effect('product.update', sku)
    }
    if (price !== null && variant && stockroom.reprice(variant, price)) record.effect('price.set', sku)
    return null
  }

  const outcome = (sku: string, wrong: string | null): Answer => {
    const issue = { code: '90000900', message: wrong, severity: 'ERROR', categories: ['INVALID_ATTRIBUTE'] }
    return answer(200, {
      ...{ sku, submissionId: `submission-${++submissions}`, status: wrong === null ? 'ACCEPTED' : 'INVALID' },
      issues: wrong === null ? [] : [issue],
    })
  }

  /** Of what patches say; a path other than that of an attribute is nothing. */
  function patch(sku: string, input: Fields, record: Recorder): string | null {
    const received = listOf(input['patches']).map(fieldsOf)
    const named = received.map(({ path, value }) => [attributePath.exec(String(path))?.[1] ?? '', value] as const)
    if (named.length === 0 || named.some(([name]) => name === '')) return badAttributes
    return apply(sku, input['productType'], Object.fromEntries(named), record)
  }

  /** Makes the listing where there is none. */
  function put(sku: string, input: Fields, record: Recorder): string | null {
    const attributes = fieldsOf(input['attributes'])
    const [title, price, type] = [titleIn(attributes), priceIn(attributes), textOf(input['productType']) ?? '']
    if (!find(sku)) {
      if (title === null || price === null) return 'item_name and purchasable_offer are required.'
      const variants = [{ sku, title: 'Default Title', price, stock: 0 }]
      stockroom.add({ title, type, html: '', status: 'active', images: [], variants })
      record.effect('product.create', sku, null, sku)
    }
    return apply(sku, type, attributes, record)
  }

  /** One message of a feed of listings; what is wrong with it, if anything is. */
  function submit(message: Fields, record: Recorder): string | null {
    const kinds = { PATCH: patch, UPDATE: put }
    const kind = Object.entries(kinds).find(([name]) => name === message['operationType'])?.[1]
    return kind ? kind(textOf(message['sku']) ?? '', message, record) : 'The operationType is not supported.'
  }

  const notFound = (sku: string) => no(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace ${marketplace.id}`)
  const known = (sku: string, use: (listing: Listing) => Answer): Answer => {
    const listing = find(sku)
    return listing ? use(listing) : notFound(sku)
  }
  const base = `/listings/2021-08-01/items/${seller}`
  const routes: readonly RouteRow[] = [
    ['GET', base, 'searchListingsItems', search],
    ['GET', `${base}/:sku`, 'getListingsItem', (call, _, [sku]) => known(sku, (one) => answer(200, show(one, call)))],
    [
      ...(['PATCH', `${base}/:sku`, 'patchListingsItem'] as const),
      (call, record, [sku]) => known(sku, () => outcome(sku, patch(sku, call.fields(), record))),
    ],
    [
      ...(['PUT', `${base}/:sku`, 'putListingsItem'] as const),
      (call, record, [sku]) => outcome(sku, put(sku, call.fields(), record)),
    ],
  ]
  return { routes, submit }
}

const titleIn = (attributes: Fields) => textOf(fieldsOf(listOf(attributes['item_name'])[0])['value'])

function priceIn(attributes: Fields): number | null {
  const [offer] = listOf(attributes['purchasable_offer'])
  const [ours] = listOf(fieldsOf(offer)['our_price'])
  const [schedule] = listOf(fieldsOf(ours)['schedule'])
  return unitsOf(fieldsOf(schedule)['value_with_tax'], marketplace.currency)
}
