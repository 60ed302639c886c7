import { compareDecimals, decimal, times } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

/** A product with what stands at the store: its `store` (currency, units, address) and the name of its `brand`. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const store = fieldsIn(product, 'store')
  const variants = recordsIn(product, 'variants')
  const availability = textIn(product, 'availability')
  const isShown = product['is_visible'] === true
  const changed = timeIn(product, 'date_modified')
  const path = maybeText(maybeFields(product, 'custom_url') ?? {}, 'url')
  const home = maybeText(store, 'secure_url')
  return {
    remote_id: idIn(product, 'id'),
    title: textIn(product, 'name'),
    description_html: maybeText(product, 'description'),
    status: isShown && availability !== 'disabled' ? 'active' : 'inactive',
    remote_status: isShown ? availability : 'hidden',
    brand: maybeText(product, 'brand'),
    type: maybeText(product, 'type'),
    tags: (maybeText(product, 'search_keywords') ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
    images: imagesOf(product),
    options: optionsOf(variants),
    variants: variants.map((variant) => toVariant(variant, product, store)),
    url: path && home && `${home}${path}`,
    remote_created_at: timeIn(product, 'date_created'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

const imagesOf = (product: Fields): RemoteProduct['images'] =>
  recordsIn(product, 'images')
    .map((image) => ({
      at: Number(image['sort_order'] ?? 0),
      url: textIn(image, 'url_standard'),
      alt: maybeText(image, 'description'),
    }))
    .sort((a, b) => a.at - b.at)
    .map(({ url, alt }, position) => ({ url, alt, position }))

const choicesOf = (variant: Fields): Variant['options'] =>
  recordsIn(variant, 'option_values').map((one) => ({
    name: textIn(one, 'option_display_name'),
    value: textIn(one, 'label'),
  }))

/** Asked for by themselves, options would make pages of ten: the variants contain them as well. */
function optionsOf(variants: readonly Fields[]): RemoteProduct['options'] {
  const options = new Map<string, Set<string>>()
  for (const { name, value } of variants.flatMap(choicesOf))
    options.set(name, (options.get(name) ?? new Set()).add(value))
  return [...options].map(([name, values]) => ({ name, values: [...values] }))
}

/** What a variant does not say, its product does. Prices of nothing are none. */
function toVariant(variant: Fields, product: Fields, store: Fields): Variant {
  const currency = textIn(store, 'currency')
  const amount = (name: string): string | null => {
    const value = [variant[name], product[name]].find((one) => typeof one === 'number' || typeof one === 'string')
    return value === undefined ? null : decimal(value, digitsOf(currency))
  }
  const money = (value: string | null): Money | null => (value === null ? null : { amount: value, currency })
  const positive = (value: string | null): string | null =>
    value !== null && compareDecimals(value, '0') > 0 ? value : null
  const [regular, sale, retail] = [amount('price'), positive(amount('sale_price')), positive(amount('retail_price'))]
  const isDearer = retail !== null && regular !== null && compareDecimals(retail, regular) > 0
  const tracking = maybeText(product, 'inventory_tracking') ?? 'none'
  const counted = tracking === 'variant' ? variant : product
  return {
    remote_id: idIn(variant, 'id'),
    inventory_item_remote_id: null,
    sku: maybeText(variant, 'sku'),
    barcode: maybeText(variant, 'upc') ?? maybeText(variant, 'gtin'),
    title:
      choicesOf(variant)
        .map(({ value }) => value)
        .join(' / ') || null,
    options: choicesOf(variant),
    price: money(sale ?? regular),
    compare_at_price: money(sale !== null ? regular : isDearer ? retail : null),
    weight: weightOf(variant['weight'] ?? product['weight'], store),
    quantity: tracking === 'none' ? null : numberIn(counted, 'inventory_level'),
    track_inventory: tracking !== 'none',
  }
}

const units: Readonly<Record<string, [unit: NonNullable<Variant['weight']>['unit'], each: number] | undefined>> = {
  ounces: ['oz', 1],
  lbs: ['lb', 1],
  pounds: ['lb', 1],
  grams: ['g', 1],
  kgs: ['kg', 1],
  kilograms: ['kg', 1],
  tonnes: ['kg', 1000],
}

function weightOf(value: unknown, store: Fields): Variant['weight'] {
  const unit = units[textIn(store, 'weight_units').toLowerCase()]
  if (value == null || Number(value) === 0) return null
  if (!unit) throw new Unreadable(say('unknown_value', { name: 'unit', value: String(store['weight_units']) }))
  return { value: times(decimal(value, 0), unit[1], 0), unit: unit[0] }
}

/** One article at the place whose `location_id` is put on it. */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  const identity = fieldsIn(level, 'identity')
  const [available, held] = [numberIn(level, 'available_to_sell'), numberIn(level, 'total_inventory_onhand')]
  return {
    sku: textIn(identity, 'sku'),
    variant_remote_id: identity['variant_id'] == null ? null : idIn(identity, 'variant_id'),
    location_remote_id: idIn(level, 'location_id'),
    available,
    on_hand: held,
    reserved: Math.max(0, held - available),
    updated_at: null,
  }
}
