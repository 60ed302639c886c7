import { decimal } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import type { Money } from '../../commerce/money.ts'
import type { RemoteProduct } from '../../commerce/product.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
} from '../../commerce/reading.ts'

/** An item is an article, under the seller's number; those of a group say by what they differ. */
export function toProduct(raw: unknown): RemoteProduct {
  const item = fieldsOf(raw)
  const sku = textIn(item, 'sku')
  const life = maybeText(item, 'lifecycleStatus') ?? 'ACTIVE'
  const published = maybeText(item, 'publishedStatus') ?? 'UNPUBLISHED'
  const group = maybeFields(item, 'variantGroupInfo')
  const options = (group?.['groupingAttributes'] == null ? [] : recordsIn(group, 'groupingAttributes')).map((one) => ({
    name: textIn(one, 'name'),
    value: textIn(one, 'value'),
  }))
  return {
    remote_id: sku,
    title: maybeText(item, 'productName') ?? sku,
    description_html: null,
    status: life !== 'ACTIVE' ? 'archived' : published === 'PUBLISHED' ? 'active' : 'inactive',
    remote_status: `${life} ${published}`,
    brand: null,
    type: maybeText(item, 'productType'),
    tags: [],
    images: [],
    options: options.map(({ name, value }) => ({ name, values: [value] })),
    variants: [
      {
        remote_id: sku,
        inventory_item_remote_id: sku,
        sku,
        barcode: maybeText(item, 'gtin') ?? maybeText(item, 'upc'),
        title: options.map(({ value }) => value).join(', ') || null,
        options,
        price: priceOf(maybeFields(item, 'price')),
        compare_at_price: null,
        weight: null,
        quantity: null,
        track_inventory: true,
      },
    ],
    url: null,
    remote_created_at: null,
    remote_updated_at: null,
    // Walmart tells neither times nor counters of changes.
    remote_version: '0',
    raw,
  }
}

const priceOf = (price: Fields | null): Money | null =>
  price === null || price['amount'] == null
    ? null
    : { amount: decimal(price['amount']), currency: textIn(price, 'currency') }

/** Of one place of an item, as the list hands it out. */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  const sku = textIn(level, 'sku')
  const count = (name: string) => (level[name] == null ? null : numberIn(fieldsIn(level, name), 'amount'))
  const [told, free] = [count('inputQty'), count('availToSellQty')]
  const available = free ?? told
  if (available === null) throw new TypeError('The shop’s record has no quantity.')
  return {
    sku,
    variant_remote_id: sku,
    location_remote_id: textIn(level, 'shipNode'),
    available,
    on_hand: told,
    reserved: count('reservedQty'),
    updated_at: null,
  }
}
