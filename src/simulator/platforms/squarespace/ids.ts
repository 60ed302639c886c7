import type { Variant } from '../../shop/goods.ts'

/** Ids are twenty-four hexadecimal digits; those of variants are UUIDs. */
const digits = /^[0-9a-f]{24}$/
const numbered = (prefix: string) => ({
  of: (number: number): string => `${prefix}${number.toString(16).padStart(12, '0')}`,
  in: (id: string): number => (digits.test(id) && id.startsWith(prefix) ? Number.parseInt(id.slice(12), 16) : -1),
})

const orders = numbered('65a1f0c2b7d4')
const products = numbered('65b2e1d3c8a5')
const lines = numbered('65c3d2e4f9b6')
const customers = numbered('65d4c3f5a0b7')

export const orderIdOf = orders.of
export const orderIndexOf = orders.in
export const productIdOf = products.of
export const productIndexOf = products.in
export const lineIdOf = (index: number, line: number): string => lines.of(index * 100 + line)
export const customerIdOf = customers.of

const perProduct = 256

export const variantIdOf = ({ product, position }: Pick<Variant, 'product' | 'position'>): string =>
  `7d1f4c2e-0b3a-4c5d-8e6f-${(product * perProduct + position).toString(16).padStart(12, '0')}`

/** Where a variant stands; nowhere for an id that is none. */
export function variantAt(id: string): { product: number; position: number } {
  const [, digits = ''] = /^7d1f4c2e-0b3a-4c5d-8e6f-([0-9a-f]{12})$/.exec(id) ?? []
  const number = digits === '' ? -1 : Number.parseInt(digits, 16)
  return { product: Math.floor(number / perProduct), position: number < 0 ? -1 : number % perProduct }
}
