import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import type { RemoteProduct } from '../../commerce/product.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { walmart } from './index.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const item = (sku: string, fields: object = {}) => ({
  sku,
  productName: `Cup ${sku}`,
  productType: 'Cups',
  lifecycleStatus: 'ACTIVE',
  publishedStatus: 'PUBLISHED',
  gtin: '04006381333931',
  upc: '012345678905',
  price: { currency: 'USD', amount: 11.9 },
  ...fields,
})

const kind = (sku: string, colour: string, fields: object = {}) =>
  item(sku, {
    variantGroupInfo: {
      isPrimary: false,
      groupingAttributes: [
        { name: 'colour', value: colour },
        { name: 'size', value: 'L' },
      ],
    },
    ...fields,
  })

test('an item with everything', () => {
  const raw = item('CUP')
  expect(toProduct(raw)).toEqual({
    remote_id: 'CUP',
    title: 'Cup CUP',
    description_html: null,
    status: 'active',
    remote_status: 'ACTIVE PUBLISHED',
    brand: null,
    type: 'Cups',
    tags: [],
    images: [],
    options: [],
    variants: [
      {
        remote_id: 'CUP',
        inventory_item_remote_id: 'CUP',
        sku: 'CUP',
        barcode: '04006381333931',
        title: null,
        options: [],
        price: { amount: '11.90', currency: 'USD' },
        compare_at_price: null,
        weight: null,
        quantity: null,
        track_inventory: true,
      },
    ],
    url: null,
    remote_created_at: null,
    remote_updated_at: null,
    remote_version: '0',
    raw,
  })
})

test('a group is called as the first of its items, or as that which is the main one', () => {
  const main = { variantGroupInfo: { isPrimary: 'true', groupingAttributes: null } }
  const items = [kind('A', 'blue', { publishedStatus: 'UNPUBLISHED' }), kind('B', 'red'), kind('C', 'blue')]
  expect(toProduct({ variantGroupId: 'G1', items })).toMatchObject({
    remote_id: 'group:G1',
    title: 'Cup A',
    status: 'active',
    remote_status: 'ACTIVE UNPUBLISHED, ACTIVE PUBLISHED',
    options: [
      { name: 'colour', values: ['blue', 'red'] },
      { name: 'size', values: ['L'] },
    ],
    variants: [
      {
        sku: 'A',
        title: 'blue, L',
        options: [
          { name: 'colour', value: 'blue' },
          { name: 'size', value: 'L' },
        ],
      },
      { sku: 'B', title: 'red, L' },
      { sku: 'C' },
    ],
  })
  expect(toProduct({ variantGroupId: 'G1', items: [...items, item('D', main)] }).title).toBe('Cup D')
  const flagged = { variantGroupInfo: { isPrimary: true } }
  expect(toProduct({ variantGroupId: 'G1', items: [...items, item('E', flagged)] }).title).toBe('Cup E')
})

test('a group without items is refused', () => {
  expect(() => toProduct({ variantGroupId: 'G1', items: [] })).toThrow('The product has no variants.')
})

test.each([
  ['ACTIVE', 'PUBLISHED', 'active', 'ACTIVE PUBLISHED'],
  ['ACTIVE', 'UNPUBLISHED', 'inactive', 'ACTIVE UNPUBLISHED'],
  ['RETIRED', 'PUBLISHED', 'archived', 'RETIRED PUBLISHED'],
  [null, null, 'inactive', 'ACTIVE UNPUBLISHED'],
])('an item that is %s and %s', (life, published, status, words) => {
  expect(toProduct(item('CUP', { lifecycleStatus: life, publishedStatus: published }))).toMatchObject({
    status,
    remote_status: words,
  })
})

test('an item of which little is known', () => {
  expect(toProduct(item('CUP', { productName: '', gtin: null, price: null }))).toMatchObject({
    title: 'CUP',
    variants: [{ barcode: '012345678905', price: null }],
  })
  expect(toProduct(item('CUP', { price: { currency: 'USD' } })).variants[0]?.price).toBeNull()
})

describe('stock', () => {
  const count = (amount: number) => ({ unit: 'EACH', amount })
  const level = { sku: 'CUP', shipNode: 'N1', inputQty: count(9), availToSellQty: count(7), reservedQty: count(2) }

  test('with everything', () => {
    expect(toInventoryLevel(level)).toEqual({
      sku: 'CUP',
      variant_remote_id: 'CUP',
      location_remote_id: 'N1',
      available: 7,
      on_hand: 9,
      reserved: 2,
      updated_at: null,
    })
  })

  test('of which little is known', () => {
    const { availToSellQty, reservedQty, ...bare } = level
    expect(toInventoryLevel(bare)).toMatchObject({ available: 9, on_hand: 9, reserved: null })
    expect(() => toInventoryLevel({ sku: 'CUP', shipNode: 'N1' })).toThrow('has no "quantity".')
  })
})

const facts: { shop: string; settings: Settings } = { shop: '100009.walmart.com', settings: {} }
const credentials = { client_id: 'id', client_secret: 'secret', access_token: 'token' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(walmart, { facts, credentials }, answers)

test('items are read to the end although pages are short and the next one has always the same name', async () => {
  const page = (...skus: string[]) => ({
    body: { ItemResponse: skus.map((sku) => ({ sku })), totalItems: 3, nextCursor: 'same' },
  })
  const { shop, asked } = scripted(page('a'), page('b'), page('c'), page('c'))
  const skus: string[] = []
  let cursor: string | null = null
  do {
    const { items, next }: Awaited<ReturnType<typeof products.list>> = await products.list(shop, { ...query, cursor })
    skus.push(...items.map((raw) => products.translate(raw, facts).remote_id))
    cursor = next
  } while (cursor !== null)
  expect(skus).toEqual(['a', 'b', 'c'])
  expect(asked.map(({ request }) => request.query?.['nextCursor'])).toEqual(['*', 'same', 'same'])
  await expect(products.list(shop, { ...query, cursor: 'same' })).rejects.toMatchObject({ kind: 'upstream_refused' })
})

test('items are found by any number, and a seller without any has none', async () => {
  const none = { status: 404, body: { errors: [{ code: 'CONTENT_NOT_FOUND.GMP_ITEM_QUERY_API', description: 'No.' }] } }
  expect(await products.list(scripted(none).shop, query)).toEqual({ items: [], next: null, total: null })
  const { shop, simulator } = openImitation<Settings, Credentials>(walmart)
  const sku = 'SKU 4/red & blue'
  const variants = [{ sku, title: 'Default Title', price: 990, stock: 1 }]
  simulator.world.shop.stockroom.add({ title: 'Case', html: '', status: 'active', images: [], variants })
  expect(await products.get?.(shop, sku)).toMatchObject({ sku })
})

test('items of a group are the variants of one product, called as its main item', async () => {
  const { shop, simulator } = openImitation<Settings, Credentials>(walmart)
  const all: RemoteProduct[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof products.list>> = await products.list(shop, { ...query, limit: 7, cursor })
    all.push(...page.items.map((raw) => products.translate(raw, facts)))
    cursor = page.next
    if (cursor === null) break
  }
  const product = simulator.world.shop.stockroom
    .byChange()
    .find(({ status, variants }) => status === 'active' && variants.length > 2)
  const members = product?.variants.map(({ sku }) => sku) ?? []
  const id = simulator.truthOfProducts()[product?.index ?? -1]?.remote_id ?? ''
  const group = all.find((one) => one.remote_id === id)
  expect(members.length).toBeGreaterThan(2)
  expect(group).toMatchObject({ title: product?.title, status: 'active', options: [{ name: 'color' }] })
  expect(group?.variants.map(({ sku }) => sku)).toEqual(members.toSorted())
  expect(group?.variants[0]?.options).toEqual([{ name: 'color', value: product?.variants[0]?.title }])
  expect(all.filter((one) => members.includes(one.remote_id))).toEqual([])
  expect(products.translate(await products.get?.(shop, id), facts).variants).toHaveLength(members.length)
  expect(await products.get?.(shop, members[0] ?? '')).toBeNull()
  expect(await products.get?.(shop, 'group:none')).toBeNull()
})

test('groups that are whole on a page cost one question for all of them', async () => {
  const { shop, simulator, asked } = openImitation<Settings, Credentials>(walmart, { products: 40 })
  const all: RemoteProduct[] = []
  for (let cursor: string | null = null; ; ) {
    const page: RawPage = await products.list(shop, { ...query, limit: 50, cursor })
    all.push(...page.items.map((raw) => products.translate(raw, facts)))
    cursor = page.next
    if (cursor === null) break
  }
  expect(all.map((one) => one.remote_id).sort()).toEqual(
    simulator
      .truthOfProducts()
      .map(({ remote_id: id }) => id)
      .sort(),
  )
  const asks = (path: string, single: boolean) =>
    asked.filter(({ request }) => request.path === path && (request.query?.['variantGroupId'] != null) === single)
      .length
  const pages = asks('/v3/items', false)
  expect(asks('/v3/items/groups/count', false)).toBe(pages)
  // One that reaches over the end of a page is asked for on both.
  expect(asks('/v3/items', true)).toBeLessThanOrEqual(2 * (pages - 1))
})

test('a group is called as its main item, wherever that comes', () => {
  const item = (sku: string, isPrimary: boolean) => ({
    sku,
    productName: `Case ${sku}`,
    variantGroupInfo: { isPrimary },
  })
  const group = { variantGroupId: 'odd', items: [item('a', false), item('b', true)] }
  expect(products.translate(group, facts)).toMatchObject({ remote_id: 'group:odd', title: 'Case b' })
})
