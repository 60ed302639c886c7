import { decimal } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsOf,
  idIn,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { changedAt } from './pages.ts'
import { maybeName, nameIn, plain } from './values.ts'

const statuses: Readonly<Record<string, RemoteProduct['status'] | undefined>> = {
  publish: 'active',
  future: 'draft',
  draft: 'draft',
  'auto-draft': 'draft',
  pending: 'draft',
  private: 'inactive',
  trash: 'archived',
}

const weightUnits: Readonly<Record<string, 'g' | 'kg' | 'oz' | 'lb' | undefined>> = {
  g: 'g',
  kg: 'kg',
  oz: 'oz',
  lbs: 'lb',
}

/** What no record of a product says: it is the same for the whole shop. */
export interface Measures {
  currency: string
  weightUnit: string
}

/** A product, with its variations under `variants` and the shop's measures under `measures`. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const remoteStatus = textIn(product, 'status')
  const status = statuses[remoteStatus]
  if (!status) throw new Unreadable(say('unknown_value', { name: 'status', value: remoteStatus }))
  const variants = recordsIn(product, 'variants')
  const reported = fieldsOf(product['measures'])
  const measures = { currency: textIn(reported, 'currency'), weightUnit: textIn(reported, 'weightUnit') }
  const toOne = (article: Fields) => ({
    ...toVariant(article, measures, ownSku(article, product)),
    inventory_item_remote_id: article['manage_stock'] === 'parent' ? idIn(product, 'id') : null,
  })
  const changed = changedAt(product)
  return {
    remote_id: idIn(product, 'id'),
    sku: maybeText(product, 'sku'),
    title: nameIn(product, 'name'),
    description_html: maybeText(product, 'description'),
    status,
    remote_status: remoteStatus,
    brand: firstName(product, 'brands'),
    type: firstName(product, 'categories'),
    tags: recordsIn(product, 'tags').map((tag) => nameIn(tag, 'name')),
    images: recordsIn(product, 'images').map((image, position) => ({
      url: textIn(image, 'src'),
      alt: maybeText(image, 'alt'),
      position,
    })),
    options: recordsIn(product, 'attributes')
      .filter((one) => one['variation'] === true)
      .map((one) => ({ name: nameIn(one, 'name'), values: arrayIn(one, 'options').map(String).map(plain) })),
    variants: variants.length > 0 ? variants.map(toOne) : [toVariant(product, measures, maybeText(product, 'sku'))],
    url: maybeText(product, 'permalink'),
    remote_created_at: maybeTime(product, 'date_created_gmt'),
    remote_updated_at: changed,
    // A variation that changes leaves the product's own time as it was.
    remote_version: [product, ...variants].map(changedAt).reduce((a, b) => (a > b ? a : b)),
    raw,
  }
}

function firstName(product: Fields, list: string): string | null {
  const [first] = Array.isArray(product[list]) ? recordsIn(product, list) : []
  return first ? maybeName(first, 'name') : null
}

/** A variation without a SKU reports that of its product, which is not its own. */
export const ownSku = (variation: Fields, product: Fields): string | null => {
  const sku = maybeText(variation, 'sku')
  return sku === maybeText(product, 'sku') ? null : sku
}

function toVariant(article: Fields, { currency, weightUnit }: Measures, sku: string | null): Variant {
  const priceIn = (name: string): Money | null => {
    const reported = maybeText(article, name)
    return reported === null ? null : { amount: decimal(reported, digitsOf(currency)), currency }
  }
  const price = priceIn('price')
  const regular = priceIn('regular_price')
  const weight = maybeText(article, 'weight')
  const unit = weightUnits[weightUnit]
  const options = recordsIn(article, 'attributes').flatMap((one) => {
    const value = maybeName(one, 'option')
    return value === null ? [] : [{ name: nameIn(one, 'name'), value }]
  })
  return {
    remote_id: idIn(article, 'id'),
    inventory_item_remote_id: null,
    sku,
    barcode: maybeText(article, 'global_unique_id'),
    title: options.map(({ value }) => value).join(', ') || null,
    options,
    price,
    compare_at_price: regular === null || regular.amount === price?.amount ? null : regular,
    weight: weight === null || !unit ? null : { value: decimal(weight, 0), unit },
    quantity: article['stock_quantity'] == null ? null : numberIn(article, 'stock_quantity'),
    // "parent" of a variation: the product has one stock for all of them.
    track_inventory: article['manage_stock'] === true || article['manage_stock'] === 'parent',
  }
}

/** Whether it has a stock, or a share in that of its product, and a number by which others know it. */
export const isCounted = (article: Fields): boolean =>
  [true, 'parent'].some((managed) => article['manage_stock'] === managed) &&
  article['stock_quantity'] != null &&
  maybeText(article, 'sku') !== null

export function toInventoryLevel(raw: unknown): InventoryLevel {
  const article = fieldsOf(raw)
  return {
    sku: textIn(article, 'sku'),
    variant_remote_id: idIn(article, 'id'),
    location_remote_id: null,
    available: numberIn(article, 'stock_quantity'),
    on_hand: null,
    reserved: null,
    updated_at: changedAt(article),
  }
}
