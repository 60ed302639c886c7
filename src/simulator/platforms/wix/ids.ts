import type { Variant } from '../../shop/goods.ts'

/** Everything has a GUID: of which kind it is, which part of the whole, and the number that it has in the shop. */
const kinds = ['order', 'product', 'variant', 'location', 'line', 'fulfillment', 'item', 'payment', 'refund'] as const
type Kind = (typeof kinds)[number]

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')

export const guidOf = (kind: Kind, index: number, part = 0): string =>
  `${hex(kinds.indexOf(kind) + 1, 8)}-${hex(part, 4)}-4000-8000-${hex(index, 12)}`

const pattern = /^([0-9a-f]{8})-([0-9a-f]{4})-4000-8000-([0-9a-f]{12})$/

/** Null for what is no id of this kind. */
export function partsOf(kind: Kind, id: string): { index: number; part: number } | null {
  const [, named, part, index] = pattern.exec(id) ?? []
  if (Number.parseInt(named ?? '', 16) !== kinds.indexOf(kind) + 1) return null
  return { index: Number.parseInt(index ?? '', 16), part: Number.parseInt(part ?? '', 16) }
}

export const indexIn = (kind: Kind, id: string): number => partsOf(kind, id)?.index ?? -1

export const orderIdOf = (index: number): string => guidOf('order', index)
export const productIdOf = (index: number): string => guidOf('product', index)
export const variantIdOf = ({ product, position }: Variant): string => guidOf('variant', product, position)
export const locationIdOf = (location: number): string => guidOf('location', location)
const places = 16
export const itemIdOf = ({ product, position }: Variant, place: number): string =>
  guidOf('item', product, position * places + place)
export function itemAt(id: string): { product: number; position: number; place: number } | null {
  const found = partsOf('item', id)
  return found && { product: found.index, position: Math.floor(found.part / places), place: found.part % places }
}
