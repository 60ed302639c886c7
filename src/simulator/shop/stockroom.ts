import { isDeepStrictEqual } from 'node:util'
import { type Clock, type Moment, toSecond } from '../clock.ts'
import { goodsOf, locations, makeProduct, type Product, totalOf, type Variant } from './goods.ts'
import { firstDay } from './order-columns.ts'
import { productOf, rangeSize } from './ranges.ts'
import type { Story } from './story.ts'

export type ProductChange =
  | { kind: 'created' | 'updated' | 'deleted'; product: Product }
  | { kind: 'stock'; product: Product; variant: Variant; place: number }

/** The products of the shop, and how many of each lie where. */
export type Stockroom = ReturnType<typeof createStockroom>

/** What is sold under one number, and the product that it is a kind of. */
export interface Article {
  product: Product
  variant: Variant
}

/** What people see of a product, as far as it is told. */
export type ProductWords = Partial<Pick<Product, 'title' | 'html' | 'status' | 'images' | 'tags'>>

export interface VariantInput extends Pick<Variant, 'sku' | 'title' | 'price'> {
  stock: number
  barcode?: string
  options?: Variant['options']
}

export interface ProductInput {
  title: string
  html: string
  status: Product['status']
  vendor?: string
  type?: string
  images: Product['images']
  variants: readonly VariantInput[]
}

export function createStockroom(facts: {
  seed: number
  count: number
  simple: boolean
  story: Story | null
  clock: Clock
  /** Whether two articles have the same number. */
  twins?: boolean
}) {
  const { seed, count, simple, story, clock, twins = false } = facts
  const products: Product[] = Array.from({ length: story ? rangeSize(story.range) : count }, (_, index) =>
    story
      ? productOf(story.range, index, { seed, before: story.openedAt, simple })
      : makeProduct(seed, index, toSecond(firstDay), simple),
  )
  const [original, twin] = twins ? products.flatMap(({ variants }) => (variants.length === 1 ? variants : [])) : []
  if (original && twin) twin.sku = original.sku
  const skus = new Map(products.flatMap(({ variants }) => variants.map((variant) => [variant.sku, variant] as const)))
  const listeners: ((news: ProductChange) => void)[] = []
  const tell = (news: ProductChange) => {
    for (const listener of listeners) listener(news)
  }
  const ofVariant = ({ product }: Variant): Product => {
    const found = products[product]
    if (!found) throw new RangeError('A variant without product.')
    return found
  }
  /** Those that are there, by last change. */
  const byChange = (): Product[] =>
    products.filter(({ deleted }) => !deleted).sort((a, b) => a.updatedAt - b.updatedAt || a.index - b.index)
  const productAt = (index: number): Product | null => {
    const found = products[index]
    return found && !found.deleted ? found : null
  }
  const bySku = (sku: string): Variant | null => skus.get(sku) ?? null
  const touch = (product: Product, at: Moment = clock.tick()) => {
    product.updatedAt = at
    product.version++
    tell({ kind: 'updated', product })
  }

  const setStock = (variant: Variant, place: number, quantity: number): boolean => {
    if (quantity === variant.stock[place]) return false
    const at = clock.tick()
    const product = ofVariant(variant)
    variant.stock[place] = quantity
    variant.stockUpdatedAt = at
    product.updatedAt = at
    product.version++
    tell({ kind: 'stock', product, variant, place })
    return true
  }

  return {
    /** As it was when the shop opened: what old orders are made of. */
    goods: goodsOf(products),
    byChange,
    byNumber: () => byChange().sort((a, b) => a.index - b.index),
    articles: (): Article[] =>
      byChange().flatMap((product) => product.variants.map((variant) => ({ product, variant }))),
    variantsByChange: (): Variant[] =>
      products
        .flatMap((product) => (product.deleted ? [] : product.variants))
        .sort((a, b) => a.stockUpdatedAt - b.stockUpdatedAt || a.product - b.product || a.position - b.position),
    /** Where the indexes of products end, the removed ones among them. */
    size: () => products.length,
    product: productAt,
    bySku,
    /** By its number, with its product. */
    article(sku: string): Article | null {
      const variant = bySku(sku)
      const product = variant && productAt(variant.product)
      return product && { product, variant }
    },
    /** All that have the number, where a platform lets several have it. */
    articlesWith(sku: string): Article[] {
      const found = [...(sku === original?.sku ? [original] : []), ...(skus.get(sku) ? [skus.get(sku)] : [])]
      return found.flatMap((variant) => {
        const product = variant && productAt(variant.product)
        return product ? [{ product, variant }] : []
      })
    },
    /** False if nothing has changed, as with prices and stock. */
    change(product: Product, words: ProductWords): boolean {
      if (isDeepStrictEqual({ ...product, ...words }, product)) return false
      Object.assign(product, words)
      touch(product)
      return true
    },
    /** What it cost before a sale stays as it is by default. */
    reprice(variant: Variant, price: number, compareAt: number | null = variant.compareAt): boolean {
      if (price === variant.price && compareAt === variant.compareAt) return false
      variant.price = price
      variant.compareAt = compareAt
      touch(ofVariant(variant))
      return true
    },
    setStock,
    /** Where a platform knows but one number: the first location takes what the others do not have. */
    setTotal: (variant: Variant, quantity: number): boolean =>
      setStock(variant, 0, quantity - totalOf(variant) + (variant.stock[0] ?? 0)),
    add(draft: ProductInput): Product {
      const index = products.length
      const at = clock.tick()
      const variants = draft.variants.map((variant, position) => madeVariant(index, position, variant, at))
      const product: Product = {
        ...{ index, title: draft.title, html: draft.html, status: draft.status, tags: [], images: draft.images },
        ...{ vendor: draft.vendor ?? '', type: draft.type ?? '', variants },
        ...{ createdAt: at, updatedAt: at, version: 1, deleted: false },
      }
      products.push(product)
      for (const variant of variants) skus.set(variant.sku, variant)
      tell({ kind: 'created', product })
      return product
    },
    addVariant(product: Product, draft: VariantInput): Variant {
      const made = madeVariant(product.index, product.variants.length, draft, clock.tick())
      product.variants.push(made)
      skus.set(made.sku, made)
      touch(product)
      return made
    },
    remove(product: Product): void {
      product.deleted = true
      for (const { sku } of product.variants) skus.delete(sku)
      tell({ kind: 'deleted', product })
    },
    onChange: (listener: (news: ProductChange) => void): void => {
      listeners.push(listener)
    },
  }
}

const madeVariant = (
  product: number,
  position: number,
  { sku, title, price, stock, barcode = '', options = [] }: VariantInput,
  at: Moment,
): Variant => ({
  ...{ product, position, sku, barcode, title, options, price, compareAt: null, grams: 0 },
  stock: locations.map((_, location) => (location === 0 ? stock : 0)),
  stockUpdatedAt: at,
})
