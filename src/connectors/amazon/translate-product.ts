import { decimal } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../commerce/product.ts'
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
  timeIn,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { summaryOf } from './listings.ts'
import { type AmazonFacts, homeOf } from './settings.ts'
import { variationsOf } from './variations.ts'

/** The channel that the seller sends from; others are warehouses of Amazon, or places the seller has named. */
export const ownChannel = 'DEFAULT'

/** A listing is an article under the seller's number: its own only variant, unless it has `children`. */
export function toProduct(raw: unknown, facts: AmazonFacts): RemoteProduct {
  const listing = fieldsOf(raw)
  const sku = textIn(listing, 'sku')
  const summary = summaryOf(listing, facts)
  const attributes = attributesOf(listing, homeOf(facts).id)
  const children = listing['children'] == null ? [] : recordsIn(listing, 'children')
  const sold = children.length === 0 ? [listing] : children
  const variants = sold.map((one) => toVariant(one, facts))
  // What a family is sold under are its kinds; the listing above them is for nobody to buy.
  const statuses = [...new Set(sold.flatMap((one) => statusesIn(summaryOf(one, facts))))]
  const asin = maybeText(summary, 'asin')
  const changes = [listing, ...children].map((one) => timeIn(summaryOf(one, facts), 'lastUpdatedDate'))
  const changed = changes.reduce((a, b) => (a > b ? a : b))
  return {
    remote_id: sku,
    title: maybeText(summary, 'itemName') ?? attributes.text('item_name') ?? sku,
    description_html: attributes.text('product_description'),
    status: statuses.includes('BUYABLE') ? 'active' : 'inactive',
    remote_status: statuses.join(' ') || 'NONE',
    brand: attributes.text('brand'),
    type: textIn(summary, 'productType'),
    tags: [],
    images: imagesOf(summary, attributes).map((url, position) => ({ url, alt: null, position })),
    options: optionsOf(variants),
    variants,
    url: asin === null ? null : `https://${homeOf(facts).site}/dp/${asin}`,
    remote_created_at: timeIn(summary, 'createdDate'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

interface Attributes {
  first(name: string): Fields | null
  text(name: string): string | null
}

/** Each attribute is a list with an entry, or several, for each marketplace. */
function attributesOf(listing: Fields, place: string): Attributes {
  const all = maybeFields(listing, 'attributes') ?? {}
  const first = (name: string): Fields | null => {
    const entries = Array.isArray(all[name]) ? all[name].filter(isFields) : []
    return entries.find((one) => one['marketplace_id'] === undefined || one['marketplace_id'] === place) ?? null
  }
  return { first, text: (name) => maybeText(first(name) ?? {}, 'value') }
}

function statusesIn(summary: Fields): string[] {
  const reported = summary['status']
  if (!Array.isArray(reported)) throw new Unreadable(say('no_list_in', { name: 'status' }))
  return reported.map(String)
}

const otherImages = Array.from({ length: 8 }, (_, n) => `other_product_image_locator_${n + 1}`)

function imagesOf(summary: Fields, { first }: Attributes): string[] {
  const main = maybeText(maybeFields(summary, 'mainImage') ?? {}, 'link')
  const [own, ...others] = ['main_product_image_locator', ...otherImages].map((name) =>
    maybeText(first(name) ?? {}, 'media_location'),
  )
  return [main ?? own, ...others].filter((url) => typeof url === 'string')
}

function toVariant(listing: Fields, facts: AmazonFacts): Variant {
  const { id: place } = homeOf(facts)
  const sku = textIn(listing, 'sku')
  const attributes = attributesOf(listing, place)
  const offers = listing['offers'] == null ? [] : recordsIn(listing, 'offers')
  const offer = offers.find((one) => one['marketplaceId'] === place && one['offerType'] === 'B2C')
  const listed = attributes.first('list_price')
  const options = kindsOf(listing, facts, attributes)
  return {
    remote_id: sku,
    inventory_item_remote_id: sku,
    sku,
    barcode: attributes.text('externally_assigned_product_identifier'),
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
    price: offer ? moneyOf(fieldsIn(offer, 'price'), 'amount', 'currencyCode') : null,
    compare_at_price: listed ? moneyOf(listed, 'value', 'currency') : null,
    weight: weightOf(attributes.first('item_weight')),
    quantity: levelsIn(listing).find(({ channel }) => channel === ownChannel)?.quantity ?? null,
    track_inventory: true,
  }
}

/** By what the kinds of a family differ: the names of attributes, of which only plain ones can be read. */
function kindsOf(listing: Fields, facts: AmazonFacts, { first }: Attributes): Variant['options'] {
  const themes = variationsOf(listing, facts)
    .map((one) => maybeFields(one, 'variationTheme'))
    .filter((theme) => theme !== null)
  const names = themes.flatMap((theme) => arrayIn(theme, 'attributes').map(String))
  return [...new Set(names)].flatMap((name) => {
    const value = first(name)?.['value']
    return typeof value === 'string' || typeof value === 'number' ? [{ name, value: String(value) }] : []
  })
}

function moneyOf(fields: Fields, amount: string, code: string): Money | null {
  const currency = maybeText(fields, code)
  if (currency === null || fields[amount] == null) return null
  return { amount: decimal(fields[amount], digitsOf(currency)), currency }
}

const units: Readonly<Record<string, 'g' | 'kg' | 'oz' | 'lb'>> = {
  grams: 'g',
  kilograms: 'kg',
  ounces: 'oz',
  pounds: 'lb',
}

function weightOf(reported: Fields | null): Variant['weight'] {
  const unit = units[String(reported?.['unit'])]
  return reported === null || !unit || reported['value'] == null ? null : { value: decimal(reported['value'], 0), unit }
}

/** What is reported of stock; of its own warehouses Amazon reports nothing here. */
export const levelsIn = (listing: Fields): { channel: string; quantity: number }[] =>
  (listing['fulfillmentAvailability'] == null ? [] : recordsIn(listing, 'fulfillmentAvailability'))
    .filter((one) => one['quantity'] != null)
    .map((one) => ({ channel: textIn(one, 'fulfillmentChannelCode'), quantity: numberIn(one, 'quantity') }))

/** Of one channel of a listing, as the list hands it out. */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  return {
    sku: textIn(level, 'sku'),
    variant_remote_id: textIn(level, 'sku'),
    location_remote_id: textIn(level, 'channel'),
    available: numberIn(level, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: null,
  }
}
