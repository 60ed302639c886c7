import { day, hour, type Moment } from '../clock.ts'
import { draws, mix } from '../random.ts'

/** What a shop sells. Prices are euro cents; dialects and orders convert. */
export interface Variant {
  product: number
  position: number
  sku: string
  barcode: string
  title: string
  options: readonly { name: string; value: string }[]
  price: number
  compareAt: number | null
  grams: number
  /** By place, in the order of `locations`. */
  stock: number[]
  stockUpdatedAt: Moment
}

export interface Product {
  index: number
  title: string
  html: string
  status: 'active' | 'draft' | 'archived'
  vendor: string
  type: string
  tags: readonly string[]
  images: readonly { url: string; alt: string | null }[]
  variants: Variant[]
  createdAt: Moment
  updatedAt: Moment
  version: number
  deleted: boolean
}

/** What an order remembers of an article: later prices do not change old orders. */
export type Good = Readonly<Pick<Variant, 'product' | 'position' | 'sku' | 'price'>> & {
  readonly title: string
  readonly variantTitle: string
}

export const locations = ['Main warehouse', 'Shop floor', 'Outlet Łódź'] as const

const kinds = ['Lamp', 'Teapot', 'Blanket', 'Crate', 'Lantern', 'Chair', 'Brush', 'Notebook'] as const
const looks = ['Oak', 'Enamelled', 'Café', 'Smørrebrød', 'Slate', 'Linen', 'Jō', 'Crème'] as const
const colours = ['Red', 'Grün', '藍', 'Off-white'] as const

export function makeProduct(seed: number, index: number, opened: Moment, simple: boolean): Product {
  const { below, chance, pick } = draws(mix(seed, 7_000_000 + index))
  const kind = pick(kinds)
  const count = simple || chance(0.4) ? 1 : 2 + below(3)
  const base = 290 + below(40_000)
  const createdAt = opened + below(30) * day + below(24) * hour
  const title = `${pick(looks)} ${kind} No ${index + 1}`
  const variants = Array.from({ length: count }, (_, position): Variant => {
    const colour = colours[position] ?? `Colour ${position + 1}`
    const stocked = createdAt + below(300) * day + below(86_400) * 1_000_000
    return {
      product: index,
      position,
      sku: `SKU-${String(index + 1).padStart(5, '0')}-${position + 1}`,
      barcode: String(4_000_000_000_000 + index * 100 + position),
      title: count === 1 ? 'Default Title' : colour,
      options: count === 1 ? [] : [{ name: 'Colour', value: colour }],
      price: base + position * 100,
      compareAt: chance(0.2) ? base + 1000 : null,
      grams: 100 + below(4000),
      stock: locations.map(() => below(120)),
      stockUpdatedAt: stocked,
    }
  })
  return {
    index,
    title,
    html: `<p>A ${kind.toLowerCase()} that lasts. “${title}” &amp; friends.</p>`,
    status: chance(0.9) ? 'active' : pick(['draft', 'archived'] as const),
    vendor: pick(['Harbour & Sons', 'Maison Été', 'Ōmi Works']),
    type: kind,
    tags: chance(0.5) ? ['sale', 'neu'] : [],
    images: [{ url: `https://img.shop.example/${index + 1}.jpg`, alt: chance(0.5) ? title : null }],
    variants,
    createdAt,
    updatedAt: createdAt + below(300) * day,
    version: 1,
    deleted: false,
  }
}

export const goodsOf = (products: readonly Product[]): readonly Good[] =>
  products.flatMap(({ title, variants }) =>
    variants.map(({ title: variantTitle, ...variant }) => ({ ...variant, title, variantTitle })),
  )

/** Of some products only a variant has changed lately, where a platform gives both a time of their own. */
const isLagging = ({ index }: Product): boolean => index % 5 === 0
export const productTime = (product: Product): Moment => (isLagging(product) ? product.createdAt : product.updatedAt)
export const variantTime = (product: Product, { position }: Variant): Moment =>
  isLagging(product) && position === 0 ? product.updatedAt : product.createdAt

/** Where a platform tells what lies on the shelf: so many of it are ordered already. */
export const reservedOf = ({ product, position, options }: Variant, location: number): number =>
  options.length === 0 ? 0 : (product + position + location) % 4

/** By what the variants of a product differ. */
export const optionsOf = ({ variants }: Product): { name: string; values: string[] }[] =>
  [
    ...Map.groupBy(
      variants.flatMap(({ options }) => options),
      ({ name }) => name,
    ),
  ].map(([name, all]) => ({
    ...{ name, values: [...new Set(all.map(({ value }) => value))] },
  }))

/** What variants are called that are only told by their options. */
export const titleOf = (options: Variant['options']): string =>
  options.length === 0 ? 'Default Title' : options.map(({ value }) => value).join(' / ')

export const totalOf = ({ stock }: Variant): number => stock.reduce((sum, count) => sum + count, 0)
