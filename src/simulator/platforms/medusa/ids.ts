import type { Moment } from '../../clock.ts'
import type { Variant } from '../../shop/goods.ts'

/** Ids grow with time, as those of the platform do: a kind, and twenty-six signs that sort. */
export const idOf = (kind: string, number: number): string => `${kind}_01K${String(number).padStart(23, '0')}`

/** -1 for what is no id of that kind. */
export const numberIn = (kind: string, id: unknown): number => {
  const found = new RegExp(`^${kind}_01K(\\d{23})$`).exec(String(id))?.[1]
  return found === undefined ? -1 : Number(found)
}

export const orderIdOf = (index: number): string => idOf('order', index)
export const productIdOf = (index: number): string => idOf('prod', index)
export const locationIdOf = (location: number): string => idOf('sloc', location)

/** Of an order's line or parcel, both counted from 1 there; and of an article, within its product. */
export const partOf = (kind: string, index: number, part: number): string => idOf(kind, index * 100 + part)
export const partIn = (kind: string, index: number, id: unknown): number => numberIn(kind, id) - index * 100
export const articleOf = (kind: string, { product, position }: Pick<Variant, 'product' | 'position'>): string =>
  partOf(kind, product, position)

/** Times are shown to the millisecond. */
export const shown = (moment: Moment): Moment => moment - (moment % 1000)
export const timeOf = (moment: Moment): string => new Date(moment / 1000).toISOString()
