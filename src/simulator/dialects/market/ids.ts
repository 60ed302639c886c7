import { mix } from '../../random.ts'

/** Order ids look like 200-0000042-8123: the last part keeps anyone from guessing the next one. */
const check = (index: number): number => 1000 + (mix(77, index) % 9000)

export const orderIdOf = (index: number): string => `200-${String(index + 1).padStart(7, '0')}-${check(index)}`

export function orderIndexOf(id: string): number {
  const match = /^200-(\d{7})-(\d{4})$/.exec(id)
  const index = match ? Number(match[1]) - 1 : -1
  return index >= 0 && Number(match?.[2]) === check(index) ? index : -1
}

export const itemIdOf = (product: number): string => `ITM${String(product + 1).padStart(7, '0')}`
export const nodeIdOf = (place: number): string => `NODE-${place + 1}`
export const placeOf = (node: string): number => {
  const number = /^NODE-([123])$/.exec(node)?.[1]
  return number === undefined ? -1 : Number(number) - 1
}
