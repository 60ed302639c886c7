import { decimal } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import type { Money } from '../../commerce/money.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../commerce/product.ts'
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
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

/** Before the id of a group: an item may have the same number. */
export const groupMark = 'group:'

/** An item is an article under the seller's number; a group has several as its `items`, and is called as its first one. */
export function toProduct(raw: unknown): RemoteProduct {
  const reported = fieldsOf(raw)
  const isGroup = reported['items'] !== undefined
  const items = isGroup ? recordsIn(reported, 'items') : [reported]
  const main = items.find(isPrimary) ?? items[0]
  if (!main) throw new Unreadable(say('nothing_to_sell'))
  const variants = items.map(toVariant)
  const statuses = items.map(statusOf)
  return {
    remote_id: isGroup ? `${groupMark}${textIn(reported, 'variantGroupId')}` : textIn(reported, 'sku'),
    title: maybeText(main, 'productName') ?? textIn(main, 'sku'),
    description_html: null,
    status: statuses.find((status) => status === 'active') ?? statusOf(main),
    remote_status: [...new Set(items.map(wordsOf))].join(', '),
    brand: null,
    type: maybeText(main, 'productType'),
    tags: [],
    images: [],
    options: optionsOf(variants),
    variants,
    url: null,
    remote_created_at: null,
    remote_updated_at: null,
    // Walmart reports neither times nor counters of changes.
    remote_version: '0',
    raw,
  }
}

/** A word or a boolean. */
function isPrimary(item: Fields): boolean {
  const { isPrimary: reported } = maybeFields(item, 'variantGroupInfo') ?? {}
  return reported === true || reported === 'true'
}

const lifeOf = (item: Fields): string => maybeText(item, 'lifecycleStatus') ?? 'ACTIVE'
const publishedOf = (item: Fields): string => maybeText(item, 'publishedStatus') ?? 'UNPUBLISHED'
const wordsOf = (item: Fields): string => `${lifeOf(item)} ${publishedOf(item)}`

function statusOf(item: Fields): RemoteProduct['status'] {
  if (lifeOf(item) !== 'ACTIVE') return 'archived'
  return publishedOf(item) === 'PUBLISHED' ? 'active' : 'inactive'
}

function toVariant(item: Fields): Variant {
  const sku = textIn(item, 'sku')
  const group = maybeFields(item, 'variantGroupInfo')
  const options = (group?.['groupingAttributes'] == null ? [] : recordsIn(group, 'groupingAttributes')).map((one) => ({
    name: textIn(one, 'name'),
    value: textIn(one, 'value'),
  }))
  return {
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
  const [reported, free] = [count('inputQty'), count('availToSellQty')]
  const available = free ?? reported
  if (available === null) throw new Unreadable(say('lacks_field', { name: 'quantity' }))
  return {
    sku,
    variant_remote_id: sku,
    location_remote_id: textIn(level, 'shipNode'),
    available,
    on_hand: reported,
    reserved: count('reservedQty'),
    updated_at: null,
  }
}
