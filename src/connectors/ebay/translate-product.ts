import { decimal } from '../../commerce/decimal.ts'
import type { Money } from '../../commerce/money.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsIn,
  fieldsOf,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
} from '../../commerce/reading.ts'
import { moneyIn } from './amounts.ts'

/** Before the key of a group: an article may have the same name. */
export const groupMark = 'group:'

/** An inventory item with its `offers`, or a group with its `items`. */
export function toProduct(raw: unknown): RemoteProduct {
  const reported = fieldsOf(raw)
  const isGroup = reported['items'] !== undefined
  const items = isGroup ? recordsIn(reported, 'items') : [reported]
  const whole = isGroup ? reported : fieldsIn(reported, 'product')
  const [first = {}] = items
  const offers = items.flatMap((item) => recordsIn(item, 'offers'))
  const offer = offers.find((one) => one['status'] === 'PUBLISHED') ?? offers[0] ?? null
  const listing = offer && maybeFields(offer, 'listing')
  const listingId = listing && maybeText(listing, 'listingId')
  const options = isGroup ? optionsOf(reported) : []
  return {
    remote_id: isGroup ? `${groupMark}${textIn(reported, 'inventoryItemGroupKey')}` : textIn(reported, 'sku'),
    title: maybeText(whole, 'title') ?? textIn(fieldsIn(first, 'product'), 'title'),
    description_html: (offer && maybeText(offer, 'listingDescription')) ?? maybeText(whole, 'description'),
    status: statusOf(offer, listing),
    remote_status: (offer && maybeText(offer, 'status')) ?? 'NOT_OFFERED',
    brand: maybeText(fieldsIn(first, 'product'), 'brand'),
    type: offer && maybeText(offer, 'categoryId'),
    tags: [],
    images: textsIn(whole, 'imageUrls').map((url, position) => ({ url, alt: null, position })),
    options,
    variants: items.map((item) => toVariant(item, options)),
    url: listingId ? `https://www.ebay.com/itm/${listingId}` : null,
    remote_created_at: null,
    remote_updated_at: null,
    // eBay reports neither when it changed nor how often: what was read last counts.
    remote_version: '0',
    raw,
  }
}

/** By what the articles of a group differ. */
function optionsOf(group: Fields): RemoteProduct['options'] {
  const reported = maybeFields(group, 'variesBy')
  return (reported?.['specifications'] == null ? [] : recordsIn(reported, 'specifications')).map((one) => ({
    name: textIn(one, 'name'),
    values: textsIn(one, 'values'),
  }))
}

function statusOf(offer: Fields | null, listing: Fields | null): RemoteProduct['status'] {
  if (offer?.['status'] !== 'PUBLISHED') return 'draft'
  const word = listing && maybeText(listing, 'listingStatus')
  return word === 'ENDED' || word === 'INACTIVE' || word === 'NOT_LISTED' ? 'inactive' : 'active'
}

function toVariant(item: Fields, varying: RemoteProduct['options']): Variant {
  const sku = textIn(item, 'sku')
  const product = fieldsIn(item, 'product')
  const offers = recordsIn(item, 'offers')
  const offer = offers.find((one) => one['status'] === 'PUBLISHED') ?? offers[0] ?? null
  const prices = offer && maybeFields(offer, 'pricingSummary')
  const price = (name: string): Money | null => (prices?.[name] == null ? null : moneyIn(prices, name))
  const barcode = ['ean', 'upc', 'isbn'].flatMap((name) => textsIn(product, name)).find((code) => /\d/.test(code))
  const aspects = maybeFields(product, 'aspects') ?? {}
  const options = varying.flatMap(({ name }) => {
    const value = textsIn(aspects, name).join(', ')
    return value === '' ? [] : [{ name, value }]
  })
  return {
    remote_id: sku,
    inventory_item_remote_id: null,
    sku,
    barcode: barcode ?? null,
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
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

/** How many may be sent to buyers, and where these lie if eBay knows. */
export function stockIn(item: Fields): { quantity: number; places: ReadonlyMap<string, number> } | null {
  const reported = availabilityIn(item)
  if (reported?.['quantity'] == null) return null
  const places = placesIn(item).map(
    (part) => [textIn(part, 'merchantLocationKey'), numberIn(part, 'quantity')] as const,
  )
  return { quantity: numberIn(reported, 'quantity'), places: new Map(places) }
}

function availabilityIn(item: Fields): Fields | null {
  const availability = maybeFields(item, 'availability')
  return availability && maybeFields(availability, 'shipToLocationAvailability')
}

/** As eBay tells them: how long each takes to deliver stands beside how many there are. */
export function placesIn(item: Fields): readonly Fields[] {
  const reported = availabilityIn(item)
  return reported?.['availabilityDistributions'] == null ? [] : recordsIn(reported, 'availabilityDistributions')
}
