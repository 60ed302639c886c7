import type { Product, Variant } from '../../shop/goods.ts'

/** Everything is numbered in one row here, so the numbers of orders begin where those of products can not reach. */
const firstOrder = 1_000_000
const firstRefund = 500_000_000
const perProduct = 20
const perOrder = 100

export const orderIdOf = (index: number): number => firstOrder + index
export const refundIdOf = (index: number, refund: number): number => firstRefund + index * 10 + refund
export const orderOfRefund = (id: number): number => Math.floor((id - firstRefund) / 10)
/** Of lines, parcels and notes to machines: each kind has a row of its own. */
export const partIdOf = (index: number, part: number): number => index * perOrder + part
export const partOf = (index: number, id: number): number => id - index * perOrder
export const productIdOf = (index: number): number => 100 + index * perProduct
export const variationIdOf = (index: number, position: number): number => productIdOf(index) + 1 + position
/** A simple product is its own only variant. */
export const variantIdOf = ({ index, variants }: Product, { position }: Variant): number =>
  variants.length > 1 ? variationIdOf(index, position) : productIdOf(index)

export const orderIndexOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - firstOrder : -1)

/** What a product or a variation is called: position -1 is the product itself. */
export function articleOf(id: string): { index: number; position: number } | null {
  const number = /^\d{1,9}$/.test(id) ? Number(id) - 100 : -1
  if (number < 0) return null
  return { index: Math.floor(number / perProduct), position: (number % perProduct) - 1 }
}
