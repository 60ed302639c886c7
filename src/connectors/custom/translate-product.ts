import type { Definition } from '../../commerce/definition/definition.ts'
import type { Format } from '../../commerce/definition/place.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { currencyIn, wordFor } from './translate-order.ts'
import { readerOf } from './values.ts'

export type ProductRules = NonNullable<Definition['products']>
export type InventoryRules = NonNullable<Definition['inventory']>

export function toProduct(rules: ProductRules, format: Format, raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const read = readerOf(product, format)
  const { fields, variants } = rules
  const status = read.maybeText(fields.status)
  const image = read.maybeText(fields.image)
  const updatedAt = read.time(fields.updated_at)
  const sold = variants.items === undefined ? [product] : read.records(variants.items)
  if (sold.length === 0) throw new Unreadable(say('nothing_to_sell'))
  return {
    remote_id: read.text(fields.remote_id),
    title: read.text(fields.title),
    description_html: read.maybeText(fields.description_html),
    status: status === null ? 'active' : wordFor(rules.statuses, status, 'products.statuses'),
    remote_status: status ?? '',
    brand: read.maybeText(fields.brand),
    type: read.maybeText(fields.type),
    tags: read.texts(fields.tags),
    images: image === null ? [] : [{ url: image, alt: null, position: 0 }],
    options: [],
    variants: sold.map((variant) => toVariant(rules, format, variant)),
    url: read.maybeText(fields.url),
    remote_created_at: read.maybeTime(fields.created_at),
    remote_updated_at: updatedAt,
    remote_version: updatedAt,
    raw,
  }
}

function toVariant({ variants: { fields } }: ProductRules, format: Format, variant: Fields): Variant {
  const read = readerOf(variant, format)
  const priced = read.maybe(fields.price) !== null || read.maybe(fields.compare_at_price) !== null
  const currency = priced ? currencyIn(read, fields.currency, format, fields.price) : ''
  const quantity = read.maybeWhole(fields.quantity)
  return {
    remote_id: read.text(fields.remote_id),
    inventory_item_remote_id: read.maybeText(fields.inventory_item_remote_id),
    sku: read.maybeText(fields.sku),
    barcode: read.maybeText(fields.barcode),
    title: read.maybeText(fields.title),
    options: [],
    price: read.maybeMoney(fields.price, currency),
    compare_at_price: read.maybeMoney(fields.compare_at_price, currency),
    weight: null,
    quantity,
    track_inventory: quantity === null ? null : true,
  }
}

export function toLevel({ fields }: InventoryRules, format: Format, raw: unknown): InventoryLevel {
  const read = readerOf(fieldsOf(raw), format)
  return {
    sku: read.text(fields.sku),
    variant_remote_id: read.maybeText(fields.variant_remote_id),
    location_remote_id: read.maybeText(fields.location_remote_id),
    available: read.whole(fields.available),
    on_hand: read.maybeWhole(fields.on_hand),
    reserved: read.maybeWhole(fields.reserved),
    updated_at: read.maybeTime(fields.updated_at),
  }
}
