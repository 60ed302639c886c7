import { decimal } from '../../commerce/decimal.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeOfUnix,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { moneyIn } from './amounts.ts'
import { changedAt } from './translate-order.ts'

const statuses: Readonly<Record<string, RemoteProduct['status']>> = {
  active: 'active',
  inactive: 'inactive',
  sold_out: 'inactive',
  expired: 'archived',
  draft: 'draft',
}

/** A listing with its `inventory` and `images`. What it sells are the products of its inventory. */
export function toProduct(raw: unknown): RemoteProduct {
  const listing = fieldsOf(raw)
  const state = textIn(listing, 'state')
  const status = Object.hasOwn(statuses, state) ? statuses[state] : undefined
  if (status === undefined) throw new Unreadable(say('unknown_value', { name: 'status', value: state }))
  const variants = productsIn(listing).map((product) => toVariant(listing, product))
  const changed = changedAt(listing)
  const created = listing['created_timestamp'] ?? listing['creation_timestamp']
  return {
    remote_id: idIn(listing, 'listing_id'),
    title: textIn(listing, 'title'),
    description_html: htmlOf(maybeText(listing, 'description')),
    status,
    remote_status: state,
    brand: null,
    type: listing['taxonomy_id'] == null ? null : idIn(listing, 'taxonomy_id'),
    tags: listing['tags'] == null ? [] : arrayIn(listing, 'tags').map(String),
    images: imagesIn(listing),
    options: optionsOf(variants),
    variants: variants.length > 0 ? variants : [onlyVariant(listing)],
    url: maybeText(listing, 'url'),
    remote_created_at: typeof created === 'number' ? timeOfUnix(created) : null,
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** Descriptions are plain text, with lines. */
const htmlOf = (text: string | null): string | null =>
  text?.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>') ?? null

const notDeleted = (one: Fields): boolean => one['is_deleted'] !== true

export function productsIn(listing: Fields): readonly Fields[] {
  const inventory = maybeFields(listing, 'inventory')
  return inventory?.['products'] == null ? [] : recordsIn(inventory, 'products').filter(notDeleted)
}

export const offeringsIn = (product: Fields): readonly Fields[] => recordsIn(product, 'offerings').filter(notDeleted)

/** Whether all products of a listing are taken from one number. */
export const isQuantityShared = ({ quantity_on_property: by }: Fields): boolean => !Array.isArray(by) || by.length === 0

/** What is not shown to buyers cannot be bought. */
export const quantityOf = (product: Fields): number =>
  offeringsIn(product)
    .filter((one) => one['is_enabled'] !== false)
    .reduce((count, one) => count + numberIn(one, 'quantity'), 0)

/**
 * Nothing of a listing is left, as we write that down: Etsy keeps at least one piece of everything that is listed, so that
 * the listing is taken down, and one piece stays in it.
 */
export function isTakenDown(listing: Fields): boolean {
  const inventory = maybeFields(listing, 'inventory')
  if (inventory === null || listing['state'] !== 'inactive') return false
  const quantities = productsIn(listing).map(quantityOf)
  if (isQuantityShared(inventory)) return quantities.length > 0 && Math.max(...quantities) === 1
  return quantities.reduce((sum, count) => sum + count, 0) === 1
}

function toVariant(listing: Fields, product: Fields): Variant {
  const values = product['property_values'] == null ? [] : recordsIn(product, 'property_values')
  const options = values.map((one) => ({
    name: maybeText(one, 'property_name') ?? idIn(one, 'property_id'),
    value: arrayIn(one, 'values').join(', '),
  }))
  const [offering] = offeringsIn(product)
  return {
    ...onlyVariant(listing),
    remote_id: idIn(product, 'product_id'),
    sku: maybeText(product, 'sku'),
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
    price: offering ? moneyIn(offering, 'price') : null,
    quantity: isTakenDown(listing) ? 0 : quantityOf(product),
  }
}

/** Listings that were never opened with the tools for stock have no products: they are their own. */
function onlyVariant(listing: Fields): Variant {
  const unit = maybeText(listing, 'item_weight_unit')
  const weight = listing['item_weight']
  return {
    remote_id: idIn(listing, 'listing_id'),
    inventory_item_remote_id: null,
    sku: listing['skus'] == null ? null : (arrayIn(listing, 'skus').map(String)[0] ?? null),
    barcode: null,
    title: null,
    options: [],
    price: listing['price'] == null ? null : moneyIn(listing, 'price'),
    compare_at_price: null,
    weight: typeof weight === 'number' && isUnit(unit) ? { value: decimal(weight.toFixed(4), 0), unit } : null,
    quantity: listing['quantity'] == null ? null : numberIn(listing, 'quantity'),
    track_inventory: true,
  }
}

const isUnit = (unit: string | null): unit is 'g' | 'kg' | 'oz' | 'lb' =>
  unit === 'g' || unit === 'kg' || unit === 'oz' || unit === 'lb'

function imagesIn(listing: Fields): RemoteProduct['images'] {
  const images = listing['images'] == null ? [] : recordsIn(listing, 'images')
  return images
    .map((image) => ({
      url: textIn(image, 'url_fullxfull'),
      alt: maybeText(image, 'alt_text'),
      rank: Number(image['rank']),
    }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ url, alt }, position) => ({ url, alt, position }))
}
