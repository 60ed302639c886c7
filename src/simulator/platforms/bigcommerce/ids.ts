import type { Variant } from '../../shop/goods.ts'

/** Each kind of record is numbered in a row of its own. */
const firstOrder = 100
const firstProduct = 80
const firstVariant = 60
const perProduct = 20
const perOrder = 100

const numberIn = (id: string): number => (/^\d{1,12}$/.test(id) ? Number(id) : -1)

export const orderIdOf = (index: number): number => firstOrder + index
export const orderIndexOf = (id: string): number => numberIn(id) - firstOrder
/** Lines, addresses and parcels of an order, each from 1. */
export const partIdOf = (index: number, part: number): number => orderIdOf(index) * perOrder + part
export const partOf = (index: number, id: number): number => id - orderIdOf(index) * perOrder

export const productIdOf = (index: number): number => firstProduct + index
export const productIndexOf = (id: string): number => numberIn(id) - firstProduct
export const variantIdOf = ({ product, position }: Pick<Variant, 'product' | 'position'>): number =>
  firstVariant + product * perProduct + position
export const variantAt = (id: number): { product: number; position: number } => ({
  product: Math.floor((id - firstVariant) / perProduct),
  position: (id - firstVariant) % perProduct,
})

export const locationIdOf = (location: number): number => 1 + location
export const locationOf = (id: number): number => id - 1
