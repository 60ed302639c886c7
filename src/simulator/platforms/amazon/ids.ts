import { mix } from '../../random.ts'
import { locations, type Product } from '../../shop/goods.ts'
import type { ShopOrder } from '../../shop/order.ts'

/** The last part keeps anyone from guessing the next one. */
const check = (index: number): string => String(1_000_000 + (mix(77, index) % 9_000_000))

export const orderIdOf = (index: number): string => `302-${String(index + 1).padStart(7, '0')}-${check(index)}`

export function orderIndexOf(id: string): number {
  const [, number, checked] = /^302-(\d{7})-(\d{7})$/.exec(id) ?? []
  const index = Number(number) - 1
  return checked === check(index) ? index : -1
}

const firstItem = 40_000_000_000_000
export const itemIdOf = ({ index }: Pick<ShopOrder, 'index'>, line: number): string =>
  String(firstItem + index * 100 + line)
/** The line of this order; 0 for one of another. */
export function lineOf({ index }: Pick<ShopOrder, 'index'>, id: unknown): number {
  const line = Number(id) - firstItem - index * 100
  return Number.isInteger(line) && line > 0 && line < 100 ? line : 0
}

/** What comes in several kinds is listed under a number of its own as well, which nobody can buy. */
export const headSkuOf = ({ index }: Pick<Product, 'index'>): string => `FAMILY-${String(index + 1).padStart(5, '0')}`

/** Where a seller sends from: the usual channel, and supply sources. */
export const channelOf = (location: number): string => (location === 0 ? 'DEFAULT' : `supply-source-${location + 1}`)
export const channels = locations.map((_, location) => channelOf(location))
