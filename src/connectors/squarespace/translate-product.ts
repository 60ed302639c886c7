import { decimal } from '../../commerce/decimal.ts'
import type { Money } from '../../commerce/money.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import { moneyIn } from './amounts.ts'
import { rowsIn } from './ask.ts'
import type { SquareFacts } from './settings.ts'

export function toProduct(raw: unknown, { shop }: Pick<SquareFacts, 'shop'>): RemoteProduct {
  const product = fieldsOf(raw)
  const id = idIn(product, 'id')
  const changed = timeIn(product, 'modifiedOn')
  const told = rowsIn(product, 'variants').map(toVariant)
  const isVisible = product['isVisible'] !== false
  return {
    remote_id: id,
    title: maybeText(product, 'name') ?? maybeText(product, 'urlSlug') ?? id,
    description_html: maybeText(product, 'description'),
    status: isVisible ? 'active' : 'inactive',
    remote_status: isVisible ? 'visible' : 'hidden',
    brand: null,
    type: textIn(product, 'type'),
    tags: product['tags'] == null ? [] : arrayIn(product, 'tags').map(String),
    images: imagesIn(product),
    options: optionsOf(told),
    // A file to download has no variants, and its price is its own.
    variants: told.length > 0 ? told : [toVariant(product)],
    url: urlIn(product, shop),
    remote_created_at: maybeTime(product, 'createdOn'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** In whole, or as the path behind the address of the site. */
function urlIn(product: Fields, shop: string): string | null {
  const url = maybeText(product, 'url')
  return url?.startsWith('/') ? `https://${shop}${url}` : url
}

function toVariant(variant: Fields): Variant {
  const attributes = maybeFields(variant, 'attributes') ?? {}
  const options = Object.entries(attributes).map(([name, value]) => ({ name, value: String(value) }))
  const stock = maybeFields(variant, 'stock')
  const isCounted = stock === null ? null : stock['unlimited'] !== true
  return {
    remote_id: idIn(variant, 'id'),
    inventory_item_remote_id: null,
    sku: maybeText(variant, 'sku'),
    barcode: maybeText(variant, 'gtin'),
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
    ...pricesIn(maybeFields(variant, 'pricing')),
    weight: weightIn(maybeFields(variant, 'shippingMeasurements')),
    quantity: stock !== null && isCounted ? numberIn(stock, 'quantity') : null,
    track_inventory: isCounted,
  }
}

/** The price of a sale is there without one as well, and then not asked. */
function pricesIn(pricing: Fields | null): { price: Money | null; compare_at_price: Money | null } {
  if (pricing === null || pricing['basePrice'] == null) return { price: null, compare_at_price: null }
  const base = moneyIn(pricing, 'basePrice')
  const isSale = pricing['onSale'] === true && pricing['salePrice'] != null
  return isSale
    ? { price: moneyIn(pricing, 'salePrice'), compare_at_price: base }
    : { price: base, compare_at_price: null }
}

const units: Readonly<Record<string, 'kg' | 'lb' | undefined>> = { KILOGRAM: 'kg', POUND: 'lb' }

function weightIn(measured: Fields | null): Variant['weight'] {
  const weight = measured && maybeFields(measured, 'weight')
  const value = Number(weight?.['value'] ?? 0)
  const unit = units[String(weight?.['unit'])]
  return unit !== undefined && value > 0 && value < 1e9 ? { value: decimal(value.toFixed(4), 0), unit } : null
}

/** One that is still on its way has no address yet. */
const imagesIn = (product: Fields): RemoteProduct['images'] =>
  rowsIn(product, 'images')
    .flatMap((image) => {
      const url = maybeText(image, 'url')
      return url === null ? [] : [{ url, alt: maybeText(image, 'altText') }]
    })
    .map((image, position) => ({ ...image, position }))
