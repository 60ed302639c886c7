import { decimal, sum } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsOf,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeOfUnix,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

const statuses: Readonly<Record<string, RemoteProduct['status']>> = {
  ACTIVATE: 'active',
  DRAFT: 'draft',
  PENDING: 'inactive',
  FAILED: 'inactive',
  SELLER_DEACTIVATED: 'inactive',
  PLATFORM_DEACTIVATED: 'inactive',
  FREEZE: 'inactive',
  DELETED: 'archived',
}

/** A product as it is told by itself; of frozen ones there is only what lists tell. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const word = textIn(product, 'status')
  const status = Object.hasOwn(statuses, word) ? statuses[word] : undefined
  if (status === undefined) throw new Unreadable(say('unknown_value', { name: 'status', value: word }))
  const weight = weightOf(product)
  const variants = recordsIn(product, 'skus').map((sku) => toVariant(sku, weight))
  if (variants.length === 0) throw new Unreadable(say('nothing_to_sell'))
  const changed = timeOfUnix(numberIn(product, 'update_time'))
  return {
    remote_id: textIn(product, 'id'),
    title: textIn(product, 'title'),
    description_html: maybeText(product, 'description'),
    status,
    remote_status: word,
    brand: maybeText(maybeFields(product, 'brand') ?? {}, 'name'),
    type: categoryOf(product),
    tags: [],
    images: imagesIn(product),
    options: optionsOf(variants),
    variants,
    url: null,
    remote_created_at: product['create_time'] == null ? null : timeOfUnix(numberIn(product, 'create_time')),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** Of the tree of categories the leaf. */
function categoryOf(product: Fields): string | null {
  const chain = product['category_chains'] == null ? [] : recordsIn(product, 'category_chains')
  const leaf = chain.find((one) => one['is_leaf'] === true) ?? chain.at(-1)
  return leaf ? maybeText(leaf, 'local_name') : null
}

function imagesIn(product: Fields): RemoteProduct['images'] {
  const images = product['main_images'] == null ? [] : recordsIn(product, 'main_images')
  const urls = images.flatMap((image) => {
    const [first] = image['urls'] == null ? [] : arrayIn(image, 'urls')
    return typeof first === 'string' && first !== '' ? [first] : []
  })
  return urls.map((url, position) => ({ url, alt: null, position }))
}

const units: Readonly<Record<string, 'kg' | 'lb' | 'g'>> = { KILOGRAM: 'kg', POUND: 'lb', GRAM: 'g' }

/** Of the package, and so of every kind. */
function weightOf(product: Fields): Variant['weight'] {
  const weight = maybeFields(product, 'package_weight')
  const unit = weight && units[maybeText(weight, 'unit') ?? '']
  const value = weight && maybeText(weight, 'value')
  return unit && value ? { value: decimal(value, 0), unit } : null
}

function toVariant(sku: Fields, weight: Variant['weight']): Variant {
  const attributes = sku['sales_attributes'] == null ? [] : recordsIn(sku, 'sales_attributes')
  const options = attributes.map((one) => ({ name: textIn(one, 'name'), value: textIn(one, 'value_name') }))
  const levels = levelsIn(sku)
  return {
    remote_id: textIn(sku, 'id'),
    inventory_item_remote_id: null,
    sku: maybeText(sku, 'seller_sku'),
    barcode: maybeText(maybeFields(sku, 'identifier_code') ?? {}, 'code'),
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
    price: priceOf(sku),
    compare_at_price: moneyOf(maybeFields(sku, 'list_price'), 'amount'),
    weight,
    quantity: levels.length === 0 ? null : levels.reduce((count, { quantity }) => count + quantity, 0),
    track_inventory: true,
  }
}

/** What buyers see; of sellers who do not sell abroad some answers tell the price under the other name only. */
export function priceOf(sku: Fields): Variant['price'] {
  const price = maybeFields(sku, 'price')
  return moneyOf(price, 'sale_price') ?? moneyOf(price, 'tax_exclusive_price')
}

function moneyOf(fields: Fields | null, name: string): Variant['price'] {
  const amount = fields && maybeText(fields, name)
  if (!fields || amount === null) return null
  const currency = textIn(fields, 'currency')
  return { amount: sum([amount], digitsOf(currency)), currency }
}

/** How many may be sold from each warehouse. */
export const levelsIn = (sku: Fields): { warehouse: string; quantity: number }[] =>
  (sku['inventory'] == null ? [] : recordsIn(sku, 'inventory')).map((one) => ({
    warehouse: textIn(one, 'warehouse_id'),
    quantity: one['quantity'] == null ? 0 : numberIn(one, 'quantity'),
  }))
