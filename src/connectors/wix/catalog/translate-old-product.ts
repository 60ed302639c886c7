import { compareDecimals, decimal } from '../../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../../commerce/money.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../../commerce/product.ts'
import {
  type Fields,
  isFields,
  maybeFields,
  maybeText,
  maybeTime,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'

/** Products of Catalog V1 name the time of their last change otherwise than those of V3. */
export const isOldProduct = (product: Fields): boolean => product['lastUpdated'] != null

/** What stands in the place of a variant where a product is sold as it is. */
const zeros = /^[0-]+$/

interface OldVariant {
  /** The product's own where there is one variant only: zeros would be the same for all. */
  id: string
  own: string
  sku: string | null
  quantity: number | null
  choices: Fields
  /** With what the product leaves to its variants. */
  told: Fields
}

export function oldVariantsOf(product: Fields): readonly OldVariant[] {
  const listed = product['variants'] == null ? [] : recordsIn(product, 'variants')
  const nothing = '00000000-0000-0000-0000-000000000000'
  const variants = listed.length > 0 ? listed : [{ id: nothing, stock: product['stock'] }]
  return variants.map((variant) => {
    const own = textIn(variant, 'id')
    const told = maybeFields(variant, 'variant') ?? product
    const stock = maybeFields(variant, 'stock') ?? {}
    const isCounted = stock['trackQuantity'] !== false && stock['trackInventory'] !== false
    return {
      ...{ own, told, choices: maybeFields(variant, 'choices') ?? {} },
      id: zeros.test(own) ? textIn(product, 'id') : own,
      sku: maybeText(told, 'sku') ?? (variants.length === 1 ? maybeText(product, 'sku') : null),
      quantity: isCounted && typeof stock['quantity'] === 'number' ? stock['quantity'] : null,
    }
  })
}

export function toOldProduct(product: Fields, raw: unknown): RemoteProduct {
  const variants = oldVariantsOf(product).map((one) => toVariant(one, product))
  const changed = timeIn(product, 'lastUpdated')
  const visible = product['visible'] !== false
  const page = maybeFields(product, 'productPageUrl') ?? {}
  const [base, path] = [maybeText(page, 'base'), maybeText(page, 'path')]
  return {
    remote_id: textIn(product, 'id'),
    title: textIn(product, 'name'),
    description_html: maybeText(product, 'description'),
    status: visible ? 'active' : 'inactive',
    remote_status: visible ? 'visible' : 'hidden',
    brand: maybeText(product, 'brand'),
    type: maybeText(product, 'productType'),
    tags: [],
    images: imagesIn(product),
    options: optionsOf(variants),
    variants,
    url: base === null || path === null ? null : `${base.replace(/\/$/, '')}${path}`,
    remote_created_at: maybeTime(product, 'createdDate'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

function toVariant({ id, sku, quantity, choices, told }: OldVariant, product: Fields): Variant {
  const prices = maybeFields(told, 'priceData') ?? maybeFields(product, 'priceData') ?? {}
  const currency = maybeText(prices, 'currency')
  const money = (name: string): Money | null =>
    prices[name] == null || currency === null ? null : { amount: decimal(prices[name], digitsOf(currency)), currency }
  const [full, reduced] = [money('price'), money('discountedPrice')]
  const isReduced = full !== null && reduced !== null && compareDecimals(reduced.amount, full.amount) < 0
  const options = Object.entries(choices).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value }] : [],
  )
  return {
    remote_id: id,
    inventory_item_remote_id: null,
    sku,
    barcode: null,
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
    price: isReduced ? reduced : full,
    compare_at_price: isReduced ? full : null,
    // In the unit of the site, which products do not tell.
    weight: null,
    quantity,
    track_inventory: quantity !== null,
  }
}

function imagesIn(product: Fields): RemoteProduct['images'] {
  const items = maybeFields(product, 'media')?.['items']
  return (Array.isArray(items) ? items.filter(isFields) : [])
    .flatMap((item) => {
      const url = maybeText(maybeFields(item, 'image') ?? {}, 'url')
      return url === null ? [] : [{ url, alt: maybeText(item, 'title') }]
    })
    .map((image, position) => ({ ...image, position }))
}
