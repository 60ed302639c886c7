import { decimal } from '../../commerce/decimal.ts'
import type { Money } from '../../commerce/money.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsIn,
  fieldsOf,
  isFields,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
} from '../../commerce/reading.ts'
import { moneyIn } from './amounts.ts'

/** An inventory item with its `offers`. One article is one product here; those of a group are known by its key. */
export function toProduct(raw: unknown): RemoteProduct {
  const item = fieldsOf(raw)
  const sku = textIn(item, 'sku')
  const product = fieldsIn(item, 'product')
  const offers = recordsIn(item, 'offers')
  const offer = offers.find((one) => one['status'] === 'PUBLISHED') ?? offers[0] ?? null
  const listing = offer && maybeFields(offer, 'listing')
  const listingId = listing && maybeText(listing, 'listingId')
  const groups = item['inventoryItemGroupKeys'] ?? item['groupIds']
  return {
    remote_id: sku,
    title: textIn(product, 'title'),
    description_html: (offer && maybeText(offer, 'listingDescription')) ?? maybeText(product, 'description'),
    status: statusOf(offer, listing),
    remote_status: (offer && maybeText(offer, 'status')) ?? 'NOT_OFFERED',
    brand: maybeText(product, 'brand'),
    type: offer && maybeText(offer, 'categoryId'),
    tags: Array.isArray(groups) ? groups.map(String) : [],
    images: textsIn(product, 'imageUrls').map((url, position) => ({ url, alt: null, position })),
    options: [],
    variants: [toVariant(item, { sku, product, offer })],
    url: listingId ? `https://www.ebay.com/itm/${listingId}` : null,
    remote_created_at: null,
    remote_updated_at: null,
    // eBay tells neither when it changed nor how often: what was read last counts.
    remote_version: '0',
    raw,
  }
}

function statusOf(offer: Fields | null, listing: Fields | null): RemoteProduct['status'] {
  if (offer?.['status'] !== 'PUBLISHED') return 'draft'
  const word = listing && maybeText(listing, 'listingStatus')
  return word === 'ENDED' || word === 'INACTIVE' || word === 'NOT_LISTED' ? 'inactive' : 'active'
}

function toVariant(
  item: Fields,
  { sku, product, offer }: { sku: string; product: Fields; offer: Fields | null },
): Variant {
  const prices = offer && maybeFields(offer, 'pricingSummary')
  const price = (name: string): Money | null => (prices?.[name] == null ? null : moneyIn(prices, name))
  const barcode = ['ean', 'upc', 'isbn'].flatMap((name) => textsIn(product, name)).find((code) => /\d/.test(code))
  return {
    remote_id: sku,
    inventory_item_remote_id: null,
    sku,
    barcode: barcode ?? null,
    title: null,
    options: [],
    price: price('price') ?? price('auctionStartPrice'),
    compare_at_price: price('originalRetailPrice'),
    weight: weightIn(item),
    quantity: stockIn(item)?.quantity ?? null,
    track_inventory: true,
  }
}

const textsIn = (fields: Fields, name: string): string[] =>
  fields[name] == null ? [] : arrayIn(fields, name).map(String)

const units = { POUND: 'lb', KILOGRAM: 'kg', OUNCE: 'oz', GRAM: 'g' } as const

function weightIn(item: Fields): Variant['weight'] {
  const parcel = maybeFields(item, 'packageWeightAndSize')
  const weight = parcel && maybeFields(parcel, 'weight')
  const unit = weight && units[textIn(weight, 'unit') as keyof typeof units]
  return unit ? { value: decimal(weight['value'], 0), unit } : null
}

/** How many may be sent to buyers, and where these lie if eBay has been told. */
export function stockIn(item: Fields): { quantity: number; places: ReadonlyMap<string, number> } | null {
  const availability = maybeFields(item, 'availability')
  const told = availability?.['shipToLocationAvailability']
  if (!isFields(told) || told['quantity'] == null) return null
  const parts = told['availabilityDistributions'] == null ? [] : recordsIn(told, 'availabilityDistributions')
  return {
    quantity: numberIn(told, 'quantity'),
    places: new Map(parts.map((part) => [textIn(part, 'merchantLocationKey'), numberIn(part, 'quantity')])),
  }
}
