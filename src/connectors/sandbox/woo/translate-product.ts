import type { InventoryLevel } from '../../../commerce/inventory.ts'
import type { RemoteProduct, Variant } from '../../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsOf,
  idIn,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'

/** Products are priced in the currency of the shop, which no record names. */
const home = 'EUR'

const statuses: Readonly<Record<string, RemoteProduct['status'] | undefined>> = {
  publish: 'active',
  draft: 'draft',
  pending: 'draft',
  private: 'archived',
}

/** A product, with its variations under `variants`. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const remoteStatus = textIn(product, 'status')
  const status = statuses[remoteStatus]
  if (!status) throw new TypeError(`The shop has a status that we do not know: ${remoteStatus}.`)
  const variants = recordsIn(product, 'variants')
  const changed = timeIn(product, 'date_modified_gmt')
  return {
    remote_id: idIn(product, 'id'),
    title: textIn(product, 'name'),
    description_html: maybeText(product, 'description'),
    status,
    remote_status: remoteStatus,
    brand: nameIn(product, 'brands'),
    type: nameIn(product, 'categories'),
    tags: recordsIn(product, 'tags').map((tag) => textIn(tag, 'name')),
    images: recordsIn(product, 'images').map((image, position) => ({
      url: textIn(image, 'src'),
      alt: maybeText(image, 'alt'),
      position,
    })),
    options: recordsIn(product, 'attributes').map((one) => ({
      name: textIn(one, 'name'),
      values: arrayIn(one, 'options').map(String),
    })),
    variants: variants.length > 0 ? variants.map(toVariant) : [toVariant(product)],
    url: maybeText(product, 'permalink'),
    remote_created_at: timeIn(product, 'date_created_gmt'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

function nameIn(product: Fields, list: string): string | null {
  const [first] = recordsIn(product, list)
  return first ? maybeText(first, 'name') : null
}

function toVariant(article: Fields): Variant {
  const price = maybeText(article, 'price')
  const regular = maybeText(article, 'regular_price')
  const kilograms = maybeText(article, 'weight')
  const options = recordsIn(article, 'attributes').flatMap((one) => {
    const value = maybeText(one, 'option')
    return value === null ? [] : [{ name: textIn(one, 'name'), value }]
  })
  return {
    remote_id: idIn(article, 'id'),
    inventory_item_remote_id: null,
    sku: maybeText(article, 'sku'),
    barcode: maybeText(article, 'global_unique_id'),
    title: options.map(({ value }) => value).join(', ') || null,
    options,
    price: price === null ? null : { amount: price, currency: home },
    compare_at_price: regular === null || regular === price ? null : { amount: regular, currency: home },
    weight: kilograms === null ? null : { value: kilograms, unit: 'kg' },
    quantity: article['stock_quantity'] === null ? null : numberIn(article, 'stock_quantity'),
    track_inventory: article['manage_stock'] === true,
  }
}

/**
 * What has a stock of its own: the variations, or the product itself. Each with the time by which the platform lists
 * it, which is the product's.
 */
export function articlesOf(raw: unknown): readonly Fields[] {
  const product = fieldsOf(raw)
  const variants = recordsIn(product, 'variants')
  const articles = variants.length > 0 ? variants : [product]
  const { date_modified_gmt } = product
  return articles
    .filter((one) => one['manage_stock'] === true && maybeText(one, 'sku') !== null)
    .map((one) => ({ ...one, date_modified_gmt }))
}

export function toInventoryLevel(raw: unknown): InventoryLevel {
  const article = fieldsOf(raw)
  return {
    sku: textIn(article, 'sku'),
    variant_remote_id: idIn(article, 'id'),
    location_remote_id: null,
    available: numberIn(article, 'stock_quantity'),
    on_hand: null,
    reserved: null,
    updated_at: timeIn(article, 'date_modified_gmt'),
  }
}
