import type { Moment } from '../../clock.ts'
import type { Variant } from '../../shop/goods.ts'

/** Ids grow with time, as those of the platform do: a kind, and twenty-six signs that sort. */
const idOf =
  (kind: string) =>
  (number: number): string =>
    `${kind}_01K${String(number).padStart(23, '0')}`

/** -1 for what is no id of that kind. */
const numberIn = (kind: string, id: string): number => {
  const found = new RegExp(`^${kind}_01K(\\d{23})$`).exec(id)?.[1]
  return found === undefined ? -1 : Number(found)
}

export const ids = {
  order: idOf('order'),
  payment: idOf('pay'),
  product: idOf('prod'),
  location: idOf('sloc'),
  of: (kind: string, number: number): string => idOf(kind)(number),
}

export const orderIndexOf = (id: string): number => numberIn('order', id)
export const paymentIndexOf = (id: string): number => numberIn('pay', id)
export const productIndexOf = (id: string): number => numberIn('prod', id)
export const locationOf = (id: string): number => numberIn('sloc', id)

/** Of an order's line or parcel, both counted from 1 there. */
export const partOf = (kind: string, index: number, part: number): string => ids.of(kind, index * 100 + part)
export const partIn = (kind: string, index: number, id: string): number => numberIn(kind, id) - index * 100

const perProduct = 100
export const articleOf = (kind: string, { product, position }: Variant): string =>
  ids.of(kind, product * perProduct + position)
export const articleIn = (kind: string, id: string): readonly [product: number, position: number] => {
  const number = numberIn(kind, id)
  return [Math.floor(number / perProduct), number % perProduct]
}

/** Times are shown to the millisecond. */
export const shown = (moment: Moment): Moment => moment - (moment % 1000)
export const timeOf = (moment: Moment): string => new Date(moment / 1000).toISOString()
