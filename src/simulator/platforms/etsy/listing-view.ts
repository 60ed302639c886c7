import { convert } from '../../amounts.ts'
import { second } from '../../clock.ts'
import type { Product, Variant } from '../../shop/goods.ts'

export const currency = 'EUR'
const firstListing = 1_000_000_000
export const listingIdOf = (index: number): number => firstListing + index
export const listingIndexOf = (id: string): number => (/^\d{10}$/.test(id) ? Number(id) - firstListing : -1)
/** Stock that is told anew makes new products: `generation` counts how often that was. */
export const productIdOf = (index: number, position: number, generation: number): number =>
  20_000_000_000 + index * 100_000 + generation * 100 + position

export const stockOf = ({ stock }: Variant): number => stock.reduce((sum, count) => sum + count, 0)

export function stateOf({ status, variants }: Product): string {
  if (status !== 'active') return status === 'draft' ? 'draft' : 'expired'
  return variants.some((variant) => stockOf(variant) > 0) ? 'active' : 'sold_out'
}

const price = (variant: Variant) => ({
  amount: convert(variant.price, currency),
  divisor: 100,
  currency_code: currency,
})
const colour = 200

/** All that a listing sells, with a number of its own for each kind. */
export function inventoryView({ index, variants }: Product, generation: number) {
  const by = variants.length > 1 ? [colour] : []
  return {
    products: variants.map((variant) => ({
      product_id: productIdOf(index, variant.position, generation),
      sku: variant.sku,
      is_deleted: false,
      offerings: [
        {
          ...{ offering_id: 2 * productIdOf(index, variant.position, generation), quantity: stockOf(variant) },
          ...{ is_enabled: true, is_deleted: false, price: price(variant), readiness_state_id: 77 },
        },
      ],
      property_values: variant.options.map(({ name, value }) => ({
        ...{ property_id: colour, property_name: name, scale_id: null, scale_name: null },
        ...{ value_ids: [variant.position + 1], values: [value] },
      })),
    })),
    ...{ price_on_property: by, quantity_on_property: by, sku_on_property: by },
  }
}

export function listingView(
  product: Product,
  includes: readonly string[],
  { shopId, generation }: { shopId: number; generation: number },
) {
  const { index, title, variants, images } = product
  const [first] = variants
  const [created, changed] = [product.createdAt, product.updatedAt].map((moment) => Math.floor(moment / second))
  return {
    ...{ listing_id: listingIdOf(index), user_id: 7, shop_id: shopId, title, state: stateOf(product) },
    description: product.html.replaceAll(/<[^>]*>/g, ''),
    ...{ created_timestamp: created, updated_timestamp: changed, last_modified_timestamp: changed },
    quantity: variants.reduce((sum, variant) => sum + stockOf(variant), 0),
    url: `https://www.etsy.com/listing/${listingIdOf(index)}`,
    tags: product.tags,
    ...{ item_weight: (first?.grams ?? 0) / 1000, item_weight_unit: 'kg', ...(first ? { price: price(first) } : {}) },
    ...(includes.includes('Images')
      ? {
          images: images.map(({ url, alt }, rank) => ({
            ...{ listing_id: listingIdOf(index), listing_image_id: index * 10 + rank + 1, rank: rank + 1 },
            ...{ url_fullxfull: url, alt_text: alt },
          })),
        }
      : {}),
    ...(includes.includes('Inventory') ? { inventory: inventoryView(product, generation) } : {}),
  }
}
