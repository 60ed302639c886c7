import { type Moment, withoutZone } from '../../clock.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import type { Parcel } from '../../shop/order.ts'

/** Times are of Greenwich and to the second. */
export const written = (at: Moment): string => withoutZone(at).replace('T', ' ')

export const orderIdOf = (index: number): number => index + 1
export const orderIndexOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - 1 : -1)
export const numberOf = (index: number): string => String(orderIdOf(index)).padStart(9, '0')
/** A line is two items where the article is one of several: the one that was chosen, and its article. */
export const itemIdOf = (index: number, line: number): number => orderIdOf(index) * 200 + line * 2
export const lineOf = (index: number, itemId: number): number => Math.floor((itemId - itemIdOf(index, 0)) / 2)
export const shipmentIdOf = (index: number, { parcel }: Parcel): number => orderIdOf(index) * 10 + parcel

export const productIdOf = (index: number): number => 1 + index * 10
export const variantIdOf = (index: number, position: number): number => productIdOf(index) + 1 + position
export const articleIdOf = ({ index, variants }: Product, { position }: Variant): number =>
  variants.length > 1 ? variantIdOf(index, position) : productIdOf(index)
