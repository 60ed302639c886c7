import type { Fields } from '../../commerce/reading.ts'
import { connection } from './stand-graphql.ts'

/** The records of the stand: a shop for coffee, in the shapes of the platform. */

export type Row = Record<string, unknown> & { id: string }

export const gid = (kind: string, n: number) => `gid://shopify/${kind}/${n}`
export const sum = (amount: number) => ({ shopMoney: { amount: amount.toFixed(1), currencyCode: 'EUR' } })
/** One a minute, so that all of them differ. */
export const time = (minute: number) => new Date(Date.UTC(2026, 8, 1, 8, minute)).toISOString().replace('.000Z', 'Z')

export interface Books {
  orders: Row[]
  products: Row[]
  places: Row[]
  levels: Row[]
  hooks: Row[]
  /** Keys of changes that have been carried out. */
  keys: Map<string, string>
  /** Counts up: nothing gets an id twice, and every change is later than the one before. */
  next(): number
}

export const prices = [12.5, 7, 19.9, 4.35]

export function addVariant(books: Books, product: Row, told: Fields): Row {
  const n = books.next()
  const item: Row = { __typename: 'InventoryItem', id: gid('InventoryItem', n), tracked: true, sku: told['sku'] }
  const variant: Row = {
    __typename: 'ProductVariant',
    id: gid('ProductVariant', n),
    title: 'Default Title',
    barcode: null,
    compareAtPrice: null,
    selectedOptions: [{ name: 'Title', value: 'Default Title' }],
    product,
    inventoryItem: item,
    inventoryQuantity: 0,
    ...told,
  }
  item['measurement'] = { weight: { value: 0.25, unit: 'KILOGRAMS' } }
  item['variants'] = connection(() => [variant])
  item['inventoryLevel'] = ({ locationId }: Fields) =>
    books.levels.find((one) => one['item'] === item && (one['location'] as Row).id === locationId) ?? null
  return variant
}

export function stock(books: Books, item: Row, place: Row, available: number, at = time(books.next())): Row {
  const level: Row = { __typename: 'InventoryLevel', id: gid('InventoryLevel', books.next()), item, location: place }
  level['available'] = available
  level['updatedAt'] = at
  level['quantities'] = ({ names }: Fields) =>
    (names as string[]).map((name) => ({
      name,
      quantity:
        name === 'committed' || name === 'reserved' ? 1 : Number(level['available']) + (name === 'on_hand' ? 2 : 0),
    }))
  books.levels.push(level)
  return level
}

export function makeProduct(books: Books, told: Fields): Row {
  const product: Row = {
    __typename: 'Product',
    id: gid('Product', books.next()),
    handle: null,
    descriptionHtml: '',
    status: 'ACTIVE',
    vendor: 'Roastery',
    productType: 'Coffee',
    tags: ['fresh'],
    createdAt: time(0),
    updatedAt: time(books.next()),
    onlineStoreUrl: null,
    options: [{ name: 'Title', values: ['Default Title'] }],
    files: [{ url: 'https://cdn.example.com/bag.png', alt: 'A bag' }],
    list: [],
    ...told,
  }
  product['media'] = connection(() =>
    (product['files'] as Fields[]).map(({ url, alt }, n) => ({
      __typename: 'MediaImage',
      id: gid('MediaImage', n),
      preview: { image: { url, altText: alt } },
    })),
  )
  product['variants'] = connection(() => product['list'] as Row[])
  product['variantsCount'] = () => ({ count: (product['list'] as Row[]).length })
  books.products.push(product)
  return product
}

const productStatuses = ['ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED']

export function addProduct(books: Books, n: number): void {
  const product = makeProduct(books, {
    title: `Coffee ${n}`,
    status: productStatuses[n % productStatuses.length],
    updatedAt: time(n * 3),
  })
  // One has more variants than are told with it.
  const variants = n === 5 ? 45 : n % 3 === 0 ? 2 : 1
  for (let v = 1; v <= variants; v++) {
    const variant = addVariant(books, product, { sku: `COFFEE-${n}-${v}`, price: (prices[n % 4] ?? 1).toFixed(2) })
    ;(product['list'] as Row[]).push(variant)
    // A place has some of them, the other has few.
    for (const place of books.places.slice(0, n % 4 === 0 ? 2 : 1)) {
      stock(books, variant['inventoryItem'] as Row, place, n * v, time(n * 5 + v))
    }
  }
}
