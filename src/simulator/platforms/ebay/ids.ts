import type { Product, Variant } from '../../shop/goods.ts'

/** `12-34567-89012`: the first two digits say nothing. */
export const orderIdOf = (index: number): string =>
  `${10 + (index % 90)}-${10_000 + Math.floor(index / 90_000)}-${10_000 + (index % 90_000)}`

/** Null for what looks like none. */
export function orderIndexOf(id: string): number | null {
  const [, high, low] = /^\d{2}-(\d{5})-(\d{5})$/.exec(id) ?? []
  const index = (Number(high) - 10_000) * 90_000 + Number(low) - 10_000
  return high !== undefined && orderIdOf(index) === id ? index : null
}

const firstLine = 10_000_000_000
export const lineIdOf = (index: number, line: number): string => String(firstLine + index * 100 + line)
export const lineOf = (index: number, id: string): number => Number(id) - firstLine - index * 100

export const cancelIdOf = (index: number): string => String(5_000_000_000 + index)

/** Articles are known by their sku, things in several kinds by a key of their own. */
export const groupKeyOf = ({ index }: Pick<Product, 'index'>): string => `GROUP-${String(index + 1).padStart(5, '0')}`
export const offerIdOf = ({ product, position }: Variant): string => String(8_000_000_000 + product * 100 + position)
export const listingIdOf = (product: number): string => String(110_000_000_000 + product)

export const locationKeyOf = (location: number): string => `HARBOUR-${location + 1}`
