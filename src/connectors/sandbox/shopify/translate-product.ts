import type { InventoryLevel } from '../../../commerce/inventory.ts'
import type { RemoteProduct, Variant } from '../../../commerce/product.ts'
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
} from '../../../commerce/reading.ts'
import { nodesIn } from './graphql.ts'

const statuses: Readonly<Record<string, RemoteProduct['status'] | undefined>> = {
  ACTIVE: 'active',
  DRAFT: 'draft',
  ARCHIVED: 'archived',
}

/** A product with the shop's `currencyCode` on it. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const remoteStatus = textIn(product, 'status')
  const status = statuses[remoteStatus]
  if (!status) throw new TypeError(`The shop has a status that we do not know: ${remoteStatus}.`)
  const currency = textIn(product, 'currencyCode')
  const variants = fieldsIn(product, 'variants')
  if (fieldsIn(variants, 'pageInfo')['hasNextPage'] !== false)
    throw new TypeError('There are more variants than were told.')
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
    images: nodesIn(product, 'media').flatMap(toImage),
    options: recordsIn(product, 'options').map((one) => ({
      name: textIn(one, 'name'),
      values: arrayIn(one, 'values').map(String),
    })),
    variants: recordsIn(variants, 'nodes').map((variant) => toVariant(variant, currency)),
    url: maybeText(product, 'onlineStoreUrl'),
    remote_created_at: timeIn(product, 'createdAt'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

function toImage(media: Fields, position: number): RemoteProduct['images'] {
  const image = maybeFields(maybeFields(media, 'preview') ?? {}, 'image')
  return image ? [{ url: textIn(image, 'url'), alt: maybeText(media, 'alt'), position }] : []
}

const units: Readonly<Record<string, NonNullable<Variant['weight']>['unit'] | undefined>> = {
  GRAMS: 'g',
  KILOGRAMS: 'kg',
  OUNCES: 'oz',
  POUNDS: 'lb',
}

function toVariant(variant: Fields, currency: string): Variant {
  const item = fieldsIn(variant, 'inventoryItem')
  const price = maybeText(variant, 'price')
  const before = maybeText(variant, 'compareAtPrice')
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
    price: price === null ? null : { amount: price, currency },
    compare_at_price: before === null ? null : { amount: before, currency },
    weight: weightIn(item),
    quantity: numberIn(variant, 'inventoryQuantity'),
    track_inventory: item['tracked'] === true,
  }
}

function weightIn(item: Fields): Variant['weight'] {
  const weight = maybeFields(maybeFields(item, 'measurement') ?? {}, 'weight')
  const unit = weight ? units[textIn(weight, 'unit')] : undefined
  return weight && unit ? { value: String(weight['value']), unit } : null
}

/** One level of an article, with the article around it. */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const item = fieldsOf(raw)
  const level = fieldsIn(item, 'level')
  const variant = maybeFields(item, 'variant')
  const available = recordsIn(level, 'quantities').find(({ name }) => name === 'available')
  return {
    sku: textIn(item, 'sku'),
    variant_remote_id: variant && textIn(variant, 'id'),
    location_remote_id: textIn(fieldsIn(level, 'location'), 'id'),
    available: numberIn(available ?? {}, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: timeIn(level, 'updatedAt'),
  }
}
