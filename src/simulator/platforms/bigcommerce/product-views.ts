import { sumOf } from '../../amounts.ts'
import { inSeconds, type Moment } from '../../clock.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import { type Stockroom, totalOf } from '../../shop/stockroom.ts'
import { productIdOf, variantIdOf } from './ids.ts'

/** The currency of the store. */
export const home = 'EUR'

const isoTime = (moment: Moment): string => inSeconds(moment).replace('Z', '+00:00')
/** v3 has amounts as numbers. */
const amount = (cents: number): number => cents / 100

/** A product without choices is counted as itself, others by variant. */
export const isCountedAsProduct = ({ variants }: Product): boolean => variants.length === 1

export function createBrands({ byChange }: Pick<Stockroom, 'byChange'>) {
  const names = [...new Set(byChange().map(({ vendor }) => vendor))].filter((name) => name !== '').sort()
  return {
    all: names.map((name, i) => ({ id: i + 1, name })),
    idOf: ({ vendor }: Product): number => names.indexOf(vendor) + 1,
  }
}

export function productView(product: Product, brandId: number, include: readonly string[]) {
  const { index, variants, status, images } = product
  const [first] = variants
  return {
    id: productIdOf(index),
    name: product.title,
    type: 'physical',
    sku: first && variants.length === 1 ? first.sku : '',
    description: product.html,
    weight: (first?.grams ?? 0) / 1000,
    price: amount(first?.price ?? 0),
    ...{ cost_price: 0, sale_price: 0, retail_price: amount(first?.compareAt ?? 0) },
    brand_id: brandId,
    inventory_level: sumOf(variants, totalOf),
    inventory_tracking: isCountedAsProduct(product) ? 'product' : 'variant',
    is_visible: status !== 'draft',
    availability: status === 'archived' ? 'disabled' : 'available',
    search_keywords: product.tags.join(','),
    custom_url: { url: `/product-${index + 1}/`, is_customized: false },
    ...{ date_created: isoTime(product.createdAt), date_modified: isoTime(product.updatedAt) },
    ...(include.includes('variants') ? { variants: variants.map((variant) => variantView(product, variant)) } : {}),
    ...(include.includes('images') ? { images: images.map((image, i) => imageView(product, image, i)) } : {}),
  }
}

const imageView = ({ index }: Product, { url, alt }: Product['images'][number], i: number) => ({
  ...{ id: productIdOf(index) * 10 + i, product_id: productIdOf(index), is_thumbnail: i === 0, sort_order: i },
  ...{ description: alt ?? '', url_standard: url, url_thumbnail: url },
})

/** What a variant has in common with its product it does not say. */
export function variantView(product: Product, variant: Variant) {
  const [first] = product.variants
  return {
    ...{ id: variantIdOf(variant), product_id: productIdOf(product.index), sku: variant.sku },
    price: variant.price === first?.price ? null : amount(variant.price),
    ...{ sale_price: null, retail_price: amount(variant.compareAt ?? 0), weight: variant.grams / 1000 },
    ...{ upc: variant.barcode, inventory_level: totalOf(variant), purchasing_disabled: false },
    option_values: variant.options.map(({ name, value }) => ({
      ...{ id: variantIdOf(variant), label: value, option_id: productIdOf(product.index), option_display_name: name },
    })),
  }
}
