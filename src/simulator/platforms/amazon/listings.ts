import { convert, decimal, inCents, unitsOf } from '../../amounts.ts'
import { inSeconds, momentOf, toSecond } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, rowsOf, wholeOf } from '../../json.ts'
import { locations, type Product, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { asinOf, marketplace } from './orders.ts'
import { invalid, no } from './reply.ts'

/** What comes in several kinds is listed under a number of its own as well, which nobody can buy. */
export const headSkuOf = ({ index }: Pick<Product, 'index'>): string => `FAMILY-${String(index + 1).padStart(5, '0')}`

/** Where a seller sends from: the usual channel, and supply sources. */
export const channelOf = (location: number): string => (location === 0 ? 'DEFAULT' : `supply-source-${location + 1}`)
export const channels = locations.map((_, location) => channelOf(location))

/** A number that the seller lists: an article, or the head of those that come in several kinds. */
export interface Listing {
  sku: string
  product: Product
  /** Null is the head, which nobody can buy. */
  variant: Variant | null
}

export const listingsOf = (product: Product): readonly Listing[] => {
  const sold = product.variants.map((variant) => ({ sku: variant.sku, product, variant }))
  return sold.length === 1 ? sold : [{ sku: headSkuOf(product), product, variant: null }, ...sold]
}

export const productTypeOf = ({ type }: Product): string => type.toUpperCase() || 'PRODUCT'

/** The warehouse of Amazon that an article lies in; null for what the seller sends. */
export const amazonChannelOf = ({ index }: Product, both: boolean): string | null =>
  both && index % 10 === 9 ? 'AMAZON_EU' : null

const statuses = { active: ['BUYABLE', 'DISCOVERABLE'], draft: [], archived: ['DISCOVERABLE'] } as const
const of = (value: unknown, more: Fields = {}) => [{ value, ...more, marketplace_id: marketplace.id }]
const german = { language_tag: 'de_DE' }

/**
 * Each data set comes for the asking only. `submitted` is what was last said of stock: the attribute keeps that, while
 * what is left after all sales is told beside it.
 */
export function listingView(
  listing: Listing,
  wanted: readonly string[],
  { both, submitted }: { both: boolean; submitted: readonly Fields[] | undefined },
): Fields {
  const { sku, product, variant } = listing
  const amazon = amazonChannelOf(product, both)
  const [image] = product.images
  const parts: Fields = {
    summaries: [
      {
        ...{ marketplaceId: marketplace.id, asin: asinOf(product.index, variant ? variant.position : 9) },
        ...{ productType: productTypeOf(product), conditionType: 'new_new', itemName: product.title },
        status: variant ? statuses[product.status] : ['DISCOVERABLE'],
        ...{ createdDate: inSeconds(product.createdAt), lastUpdatedDate: inSeconds(product.updatedAt) },
        ...(image ? { mainImage: { link: image.url, height: 500, width: 500 } } : {}),
      },
    ],
    attributes: {
      item_name: of(product.title, german),
      brand: of(product.vendor, german),
      product_description: of(product.html, german),
      ...(variant && soldAttributes(variant, submitted ?? usually(variant, amazon))),
    },
    offers: variant ? [{ marketplaceId: marketplace.id, offerType: 'B2C', price: priceOf(variant) }] : [],
    fulfillmentAvailability: amazon && variant ? [{ fulfillmentChannelCode: amazon }] : levelsOf(variant),
    relationships:
      product.variants.length > 1
        ? [{ marketplaceId: marketplace.id, relationships: [box, { ...theme, ...relativesOf(listing) }] }]
        : [],
  }
  return { sku, ...Object.fromEntries(Object.entries(parts).filter(([name]) => wanted.includes(name))) }
}

const priceOf = ({ price }: Variant) => ({
  currencyCode: marketplace.currency,
  amount: decimal(convert(price, marketplace.currency), marketplace.currency),
})

const levelsOf = (variant: Variant | null) =>
  (variant?.stock ?? []).map((quantity, n) => ({ fulfillmentChannelCode: channelOf(n), quantity }))

const soldAttributes = (variant: Variant, availability: readonly Fields[]) => ({
  item_weight: of(variant.grams, { unit: 'grams' }),
  externally_assigned_product_identifier: of(variant.barcode, { type: 'ean' }),
  ...Object.fromEntries(variant.options.map(({ value }) => ['color', of(value)])),
  fulfillment_availability: availability,
  purchasable_offer: offersOf(variant),
})

/** To everybody, and to businesses for less. */
const offersOf = ({ price }: Variant): readonly Fields[] =>
  [{ factor: 1 }, { factor: 0.9, audience: 'B2B' }].map(({ factor, ...more }) => ({
    ...{ marketplace_id: marketplace.id, currency: marketplace.currency, ...more },
    our_price: [{ schedule: [{ value_with_tax: Math.round(convert(price, marketplace.currency) * factor) / 100 }] }],
  }))

/** There are packages in packages as well, which are no family. */
const box = { type: 'PACKAGE_HIERARCHY', childSkus: ['SOME-BOX'] }
const theme = { type: 'VARIATION', variationTheme: { attributes: ['color'], theme: 'COLOR' } }

const relativesOf = ({ product, variant }: Listing) =>
  variant ? { parentSkus: [headSkuOf(product)] } : { childSkus: product.variants.map(({ sku }) => sku) }

/** Some were sold since the seller last said how many there are. */
const usually = (variant: Variant, amazon: string | null): readonly Fields[] =>
  amazon
    ? [{ fulfillment_channel_code: amazon }]
    : variant.stock.map((quantity, location) => ({
        ...{ fulfillment_channel_code: channelOf(location), quantity: quantity + variant.position + 1 },
        ...(location === 0 ? { lead_time_to_ship_max_days: 2 } : { restock_date: '2026-12-01' }),
      }))

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
    if (others.length > 0 || !variant) return badAttributes
    if (input['productType'] !== productTypeOf(product)) return 'The product type is not that of the listing.'
    if (path === '/attributes/purchasable_offer') return reprice(variant, rowsOf(value), record)
    if (path !== '/attributes/fulfillment_availability') return badAttributes
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
  /** The whole of it: offers to others that are not told again are gone. */
  function reprice(variant: Variant, offers: readonly Fields[], record: Recorder): string | null {
    const own = offers.find((one) => one['audience'] !== 'B2B')
    const { value_with_tax: told } = rowsOf(rowsOf(own?.['our_price'])[0]?.['schedule'])[0] ?? {}
    const units = unitsOf(told, marketplace.currency)
    if (own?.['currency'] !== marketplace.currency || units === null || offers.length !== offersOf(variant).length)
      return badAttributes
    if (stockroom.reprice(variant, inCents(units, marketplace.currency))) record.effect('price.set', variant.sku)
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
