import { convert } from '../../amounts.ts'
import type { Moment } from '../../clock.ts'
import { locations, type Product, productTime, reservedOf, type Variant, variantTime } from '../../shop/goods.ts'
import { articleOf, ids, timeOf } from './ids.ts'
import { productStatuses } from './words.ts'

export interface Price {
  currency_code: string
  amount: number
}

/** Prices in dollars follow those in euros, unless somebody has set them. */
export const usualPrices = ({ price }: Variant): readonly Price[] => [
  { currency_code: 'usd', amount: convert(price, 'USD') / 100 },
]

const stamps = (created: Moment, updated: Moment = created) => ({
  ...{ created_at: timeOf(created), updated_at: timeOf(updated) },
})

export function variantView(product: Product, variant: Variant, others: readonly Price[]) {
  const own = { currency_code: 'eur', amount: variant.price / 100 }
  const optionTitle = variant.options[0]?.name ?? 'Default'
  return {
    ...{ id: articleOf('variant', variant), product_id: ids.product(product.index), title: variant.title },
    ...{ sku: variant.sku, barcode: variant.barcode, allow_backorder: false, manage_inventory: true },
    ...stamps(product.createdAt, variantTime(product, variant)),
    prices: [own, ...others].map(({ currency_code, amount }, n) => ({
      ...{ id: `${articleOf('price', variant)}${n}`, currency_code, amount, raw_amount: { value: String(amount) } },
      ...{ min_quantity: null, max_quantity: null, rules: {} },
    })),
    options: [
      {
        ...{ id: articleOf('optval', variant), value: variant.options[0]?.value ?? 'Default' },
        option: { id: ids.of('opt', product.index), title: optionTitle },
      },
    ],
    inventory_items: [{ inventory_item_id: articleOf('iitem', variant), required_quantity: 1 }],
  }
}

export function productView(product: Product, pricesOf: (variant: Variant) => readonly Price[]) {
  const variants = product.variants.map((variant) => variantView(product, variant, pricesOf(variant)))
  return {
    ...{ id: ids.product(product.index), title: product.title, subtitle: '', description: product.html },
    ...{ handle: handleOf(product), status: productStatuses[product.status], thumbnail: '' },
    ...stamps(product.createdAt, productTime(product)),
    type: { id: ids.of('ptyp', 1), value: product.type },
    tags: product.tags.map((value, n) => ({ id: ids.of('ptag', n), value })),
    images: product.images.map(({ url }, n) => ({ id: ids.of('img', product.index * 100 + n), url })),
    options: [
      {
        ...{ id: ids.of('opt', product.index), title: variants[0]?.options[0]?.option.title ?? 'Default' },
        values: variants.flatMap(({ options }) => options).map(({ id, value }) => ({ id, value })),
      },
    ],
    variants,
  }
}

export const handleOf = ({ variants }: Product): string =>
  (variants[0]?.sku ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** An article that was made here lies nowhere until somebody says how many there are. */
const liesNowhere = (product: Product, variant: Variant) => variant.stockUpdatedAt === product.createdAt

export const levelsOf = (product: Product, variant: Variant) =>
  liesNowhere(product, variant) ? [] : locations.map((_, location) => levelView(variant, location))

function levelView(variant: Variant, location: number) {
  const [available, reserved] = [variant.stock[location] ?? 0, reservedOf(variant, location)]
  return {
    ...{ id: `${articleOf('ilev', variant)}${location}`, inventory_item_id: articleOf('iitem', variant) },
    ...{ location_id: ids.location(location), stocked_quantity: available + reserved, reserved_quantity: reserved },
    ...{ incoming_quantity: 0, available_quantity: available, metadata: {}, ...stamps(variant.stockUpdatedAt) },
  }
}

export const itemView = (product: Product, variant: Variant) => ({
  ...{ id: articleOf('iitem', variant), sku: variant.sku, requires_shipping: true, ...stamps(product.createdAt) },
  variants: [{ id: articleOf('variant', variant) }],
  location_levels: levelsOf(product, variant),
})
