import { convert } from '../../amounts.ts'
import type { Moment } from '../../clock.ts'
import { locations, type Product, productTime, reservedOf, type Variant, variantTime } from '../../shop/goods.ts'
import { articleOf, idOf, locationIdOf, productIdOf, timeOf } from './ids.ts'

const statuses = { active: 'published', draft: 'draft', archived: 'rejected' } as const
export const productStages: Readonly<Record<string, Product['status'] | undefined>> = {
  ...{ published: 'active', draft: 'draft', proposed: 'draft', rejected: 'archived' },
}

export interface Price {
  currency_code: string
  amount: number
}

/** Prices in dollars follow those in euros, unless somebody has set them. */
export const usualPrices = ({ price }: Variant): readonly Price[] => [
  { currency_code: 'usd', amount: convert(price, 'USD') / 100 },
]

const stamps = (created: Moment, updated = created) => ({
  ...{ created_at: timeOf(created), updated_at: timeOf(updated) },
})

export function variantView(product: Product, variant: Variant, others: readonly Price[]) {
  const own = { currency_code: 'eur', amount: variant.price / 100 }
  const { name, value } = variant.options[0] ?? { name: 'Default', value: 'Default' }
  const option = { id: idOf('opt', product.index), title: name }
  return {
    ...{ id: articleOf('variant', variant), product_id: productIdOf(product.index), title: variant.title },
    ...{ sku: variant.sku, barcode: variant.barcode, allow_backorder: false, manage_inventory: true },
    ...stamps(product.createdAt, variantTime(product, variant)),
    prices: [own, ...others].map((price, n) => ({
      ...{ id: `${articleOf('price', variant)}${n}`, ...price, min_quantity: null, max_quantity: null, rules: {} },
    })),
    options: [{ id: articleOf('optval', variant), value, option }],
    inventory_items: [{ inventory_item_id: articleOf('iitem', variant), required_quantity: 1 }],
  }
}

export function productView(product: Product, pricesOf: (variant: Variant) => readonly Price[]) {
  const variants = product.variants.map((variant) => variantView(product, variant, pricesOf(variant)))
  const values = variants.flatMap(({ options }) => options)
  return {
    ...{ id: productIdOf(product.index), title: product.title, subtitle: '', description: product.html },
    ...{ handle: handleOf(product), status: statuses[product.status], thumbnail: '' },
    ...stamps(product.createdAt, productTime(product)),
    type: { id: idOf('ptyp', 1), value: product.type },
    tags: product.tags.map((value, n) => ({ id: idOf('ptag', n), value })),
    images: product.images.map(({ url }, n) => ({ id: idOf('img', product.index * 100 + n), url })),
    options: [{ ...values[0]?.option, values: values.map(({ id, value }) => ({ id, value })) }],
    variants,
  }
}

export const handleOf = ({ variants }: Product): string =>
  (variants[0]?.sku ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** An article that was made here lies nowhere until somebody says how many there are. */
export const levelsOf = (product: Product, variant: Variant) =>
  variant.stockUpdatedAt === product.createdAt ? [] : locations.map((_, location) => levelView(variant, location))

function levelView(variant: Variant, location: number) {
  const [available, reserved] = [variant.stock[location] ?? 0, reservedOf(variant, location)]
  return {
    ...{ id: `${articleOf('ilev', variant)}${location}`, inventory_item_id: articleOf('iitem', variant) },
    ...{ location_id: locationIdOf(location), stocked_quantity: available + reserved, reserved_quantity: reserved },
    ...{ metadata: {}, ...stamps(variant.stockUpdatedAt) },
  }
}

export const itemView = (product: Product, variant: Variant) => ({
  ...{ id: articleOf('iitem', variant), sku: variant.sku, requires_shipping: true, ...stamps(product.createdAt) },
  variants: [{ id: articleOf('variant', variant) }],
  location_levels: levelsOf(product, variant),
})
