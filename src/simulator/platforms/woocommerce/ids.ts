import type { Product, Variant } from '../../shop/goods.ts'

/** Everything is numbered in one row here, so the numbers of orders begin where those of products can not reach. */
const firstOrder = 1_000_000
const perProduct = 20

export const orderIdOf = (index: number): number => firstOrder + index
export const productIdOf = (index: number): number => 100 + index * perProduct
/** A simple product is its own only variant. */
export const variantIdOf = (product: Product, { position }: Variant): number =>
  productIdOf(product.index) + (product.variants.length > 1 ? 1 + position : 0)

export const orderIndexOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - firstOrder : -1)
export const productIndexOf = (id: string): number => {
  const index = /^\d{1,9}$/.test(id) ? (Number(id) - 100) / perProduct : -1
  return Number.isInteger(index) ? index : -1
}
export const positionOf = (product: Product, id: string): number => Number(id) - productIdOf(product.index) - 1
