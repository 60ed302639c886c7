import { compareDecimals, decimal } from '../../../commerce/decimal.ts'
import type { InventoryLevel } from '../../../commerce/inventory.ts'
import { digitsOf, type Money } from '../../../commerce/money.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../../commerce/product.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'

import { isOldProduct, toOldProduct } from './translate-old-product.ts'

/** A product with its variants: of Catalog V3 as a list of variants or the product itself has them, or of V1. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  if (isOldProduct(product)) return toOldProduct(product, raw)
  const currency = maybeText(product, 'currency')
  const unit = unitIn(product)
  const variants = recordsIn(fieldsIn(product, 'variantsInfo'), 'variants').map((one) =>
    toVariant(one, { currency, unit }),
  )
  const changed = timeIn(product, 'updatedDate')
  const visible = product['visible'] !== false
  return {
    remote_id: textIn(product, 'id'),
    title: textIn(product, 'name'),
    description_html: maybeText(product, 'plainDescription'),
    status: visible ? 'active' : 'inactive',
    remote_status: visible ? 'visible' : 'hidden',
    brand: maybeText(maybeFields(product, 'brand') ?? {}, 'name'),
    type: maybeText(product, 'productType'),
    tags: [],
    images: imagesIn(product),
    options: optionsOf(variants),
    variants,
    url: maybeText(maybeFields(product, 'url') ?? {}, 'url'),
    remote_created_at: maybeTime(product, 'createdDate'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

type Unit = NonNullable<Variant['weight']>['unit']

const units: Readonly<Record<string, Unit | undefined>> = { KG: 'kg', LB: 'lb' }

function unitIn(product: Fields): Unit | null {
  const properties = maybeFields(product, 'physicalProperties') ?? {}
  const word = maybeText(maybeFields(properties, 'weightMeasurementUnitInfo') ?? {}, 'weightMeasurementUnit') ?? ''
  return (Object.hasOwn(units, word) ? units[word] : null) ?? null
}

/** The same variant has two names for its id and for what was chosen, by where it was read. */
function toVariant(variant: Fields, { currency, unit }: { currency: string | null; unit: Unit | null }): Variant {
  const price = maybeFields(variant, 'price') ?? {}
  const money = (name: string): Money | null => {
    const amount = maybeFields(price, name)?.['amount']
    return amount == null || currency === null ? null : { amount: decimal(amount, digitsOf(currency)), currency }
  }
  const before = money('compareAtPrice')
  const chosen = variant['choices'] ?? variant['optionChoices'] ?? []
  const options = recordsIn({ chosen }, 'chosen').flatMap((one) => {
    const names = maybeFields(one, 'optionChoiceNames')
    return names ? [{ name: textIn(names, 'optionName'), value: textIn(names, 'choiceName') }] : []
  })
  return {
    remote_id: maybeText(variant, 'id') ?? textIn(variant, 'variantId'),
    inventory_item_remote_id: null,
    sku: maybeText(variant, 'sku'),
    barcode: maybeText(variant, 'barcode'),
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
    price: money('actualPrice'),
    compare_at_price: before !== null && compareDecimals(before.amount, '0') > 0 ? before : null,
    weight: weightOf(maybeFields(variant, 'physicalProperties')?.['weight'], unit),
    // Stock has a list of its own, by place.
    quantity: null,
    track_inventory: null,
  }
}

/** A weight is a floating number. */
const weightOf = (value: unknown, unit: Unit | null): Variant['weight'] =>
  typeof value === 'number' && value > 0 && unit !== null ? { value: decimal(value.toFixed(4), 0), unit } : null

function imagesIn(product: Fields): RemoteProduct['images'] {
  const media = maybeFields(product, 'media') ?? {}
  const items = maybeFields(media, 'itemsInfo')?.['items']
  const listed = items == null ? [] : recordsIn({ items }, 'items')
  const main = maybeFields(media, 'main')
  return (listed.length === 0 && main ? [main] : listed)
    .flatMap((item) => {
      const image = maybeFields(item, 'image') ?? {}
      const url = maybeText(image, 'url') ?? (item['mediaType'] === 'VIDEO' ? null : maybeText(item, 'url'))
      return url === null ? [] : [{ url, alt: maybeText(item, 'altText') ?? maybeText(image, 'altText') }]
    })
    .map((image, position) => ({ ...image, position }))
}

/** An article at one place. */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const item = fieldsOf(raw)
  return {
    sku: textIn(fieldsIn(item, 'product'), 'variantSku'),
    variant_remote_id: textIn(item, 'variantId'),
    location_remote_id: maybeText(item, 'locationId'),
    available: numberIn(item, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: maybeTime(item, 'updatedDate'),
  }
}
