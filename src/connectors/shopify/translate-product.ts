import { decimal } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
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
  timeIn,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { nextIn, nodesIn } from './ask.ts'

const statuses: Readonly<Record<string, RemoteProduct['status'] | undefined>> = {
  ACTIVE: 'active',
  // For sale to those who know the address.
  UNLISTED: 'active',
  DRAFT: 'draft',
  ARCHIVED: 'archived',
}

/** A product with the shop's `currencyCode` on it, which prices of products leave out. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const remoteStatus = textIn(product, 'status')
  const status = statuses[remoteStatus]
  if (!status) throw new Unreadable(say('unknown_value', { name: 'status', value: remoteStatus }))
  const currency = textIn(product, 'currencyCode')
  if (nextIn(fieldsIn(product, 'variants')) !== null) throw new Unreadable(say('only_part_of', { name: 'variants' }))
  const changed = timeIn(product, 'updatedAt')
  return {
    remote_id: textIn(product, 'id'),
    title: textIn(product, 'title'),
    description_html: maybeText(product, 'descriptionHtml'),
    status,
    remote_status: remoteStatus,
    brand: maybeText(product, 'vendor'),
    type: maybeText(product, 'productType'),
    tags: arrayIn(product, 'tags').map(String),
    images: imagesOf(product),
    options: recordsIn(product, 'options').map((one) => ({
      name: textIn(one, 'name'),
      values: arrayIn(one, 'values').map(String),
    })),
    variants: nodesIn(product, 'variants').map((variant) => toVariant(variant, currency)),
    url: maybeText(product, 'onlineStoreUrl'),
    remote_created_at: timeIn(product, 'createdAt'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** Films and models have a picture for a preview as well, once they have been worked on. */
const imagesOf = (product: Fields): RemoteProduct['images'] =>
  nodesIn(product, 'media')
    .flatMap((media) => {
      const image = maybeFields(maybeFields(media, 'preview') ?? {}, 'image')
      return image ? [{ url: textIn(image, 'url'), alt: maybeText(image, 'altText') }] : []
    })
    .map((image, position) => ({ ...image, position }))

const units: Readonly<Record<string, NonNullable<Variant['weight']>['unit'] | undefined>> = {
  GRAMS: 'g',
  KILOGRAMS: 'kg',
  OUNCES: 'oz',
  POUNDS: 'lb',
}

function toVariant(variant: Fields, currency: string): Variant {
  const item = fieldsIn(variant, 'inventoryItem')
  const price = (name: string): Money | null =>
    variant[name] == null ? null : { amount: decimal(variant[name], digitsOf(currency)), currency }
  return {
    remote_id: textIn(variant, 'id'),
    inventory_item_remote_id: textIn(item, 'id'),
    sku: maybeText(variant, 'sku'),
    barcode: maybeText(variant, 'barcode'),
    title: maybeText(variant, 'title'),
    options: recordsIn(variant, 'selectedOptions').map((one) => ({
      name: textIn(one, 'name'),
      value: textIn(one, 'value'),
    })),
    price: price('price'),
    compare_at_price: price('compareAtPrice'),
    weight: weightIn(item),
    quantity: variant['inventoryQuantity'] == null ? null : numberIn(variant, 'inventoryQuantity'),
    track_inventory: item['tracked'] === true,
  }
}

function weightIn(item: Fields): Variant['weight'] {
  const weight = maybeFields(maybeFields(item, 'measurement') ?? {}, 'weight')
  if (weight === null) return null
  const unit = units[textIn(weight, 'unit')]
  if (!unit) throw new Unreadable(say('unknown_value', { name: 'unit', value: String(weight['unit']) }))
  return { value: decimal(weight['value'], 0), unit }
}

/** One level of an article at one place. */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  const item = fieldsIn(level, 'item')
  const [variant] = nodesIn(item, 'variants')
  const counts = new Map(recordsIn(level, 'quantities').map((one) => [textIn(one, 'name'), numberIn(one, 'quantity')]))
  const available = counts.get('available')
  if (available === undefined) throw new Unreadable(say('lacks_field', { name: 'available' }))
  return {
    sku: textIn(item, 'sku'),
    variant_remote_id: variant ? textIn(variant, 'id') : null,
    location_remote_id: textIn(fieldsIn(level, 'location'), 'id'),
    available,
    on_hand: counts.get('on_hand') ?? null,
    // What is sold and not sent, and what is laid aside.
    reserved: counts.has('committed') ? (counts.get('committed') ?? 0) + (counts.get('reserved') ?? 0) : null,
    updated_at: timeIn(level, 'updatedAt'),
  }
}
