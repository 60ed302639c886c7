import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../test/support/imitation.ts'
import { first, learned, readAll } from '../../../test/support/prestashop-shop.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { prestashop } from './index.ts'

describe('stock', () => {
  test('of a product with combinations is theirs, not their sum', async () => {
    const { shop, simulator } = openImitation(prestashop, { settings: learned })
    const skus = (await readAll(shop, 'inventory')).map((raw) => prestashop.inventory?.translate(raw, shop).sku)
    expect(skus.toSorted()).toEqual(simulator.truthOfInventory().map(({ sku }) => sku))
  })
})

test('A reference that several articles have shows the same one in every read, whichever page they are on', async () => {
  const stock = (id: number, quantity: string) => ({
    ...{ id, id_product: String(id), id_product_attribute: '0', id_shop: '1', id_shop_group: '0', quantity },
  })
  const rows: Readonly<Record<string, readonly Fields[]>> = {
    stock_availables: [stock(1, '10'), stock(2, '20'), stock(3, '30')],
    products: ['SAME', 'SAME', 'same'].map((reference, n) => ({ id: n + 1, reference, cache_default_attribute: '0' })),
    combinations: [],
  }
  const { shop } = openImitation(prestashop, {
    settings: learned,
    before: ({ url, request }) => {
      const name = url.slice(url.lastIndexOf('/') + 1)
      const found = rows[name]
      const [, from] = /^\[(\d+),/.exec(String(request.query?.['filter[id]'])) ?? []
      const count = Number(String(request.query?.['limit'] ?? '0,9').slice(2))
      const body = found?.filter((row) => Number(row['id']) >= Number(from ?? 0)).slice(0, count)
      return body ? { status: 200, headers: {}, body: { [name]: body } } : null
    },
  })
  const levels: unknown[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page: RawPage | undefined = await prestashop.inventory?.list(shop, { ...first, cursor, limit: 1 })
    levels.push(...(page?.items ?? []))
    cursor = page?.next ?? null
  }
  expect(levels).toMatchObject([
    { reference: 'SAME', quantity: '20' },
    { reference: 'same', quantity: '30' },
  ])
})

test('a reference that several combinations have is not set; one of them is, by its id, with or without a reference', async () => {
  const stock = (combination: number) => ({
    ...{ id: 100 + combination, id_product: '1', id_product_attribute: String(combination), id_shop: '1' },
    ...{ id_shop_group: '0', quantity: '300', depends_on_stock: '0', out_of_stock: '2', location: '' },
  })
  // As the demonstration catalogue of the platform: one name for all, and one that has none.
  const combinations = ['demo_1', 'demo_1', ''].map((reference, n) => ({ id: n + 1, id_product: '1', reference }))
  const saved: string[] = []
  const { shop } = openImitation(prestashop, {
    settings: learned,
    before({ url, request: { method, query, body } }) {
      const name = url.split('/api/')[1] ?? ''
      if (method === 'PUT') saved.push(`${name} ${/<quantity>(\d+)/.exec(String(body))?.[1]}`)
      if (method === 'PUT') return { status: 200, headers: {}, body: {} }
      const isWanted = ({ id, reference }: { id: number; reference: string }) =>
        [query?.['filter[id]'], query?.['filter[reference]']].some(
          (one) => one === `[${id}]` || one === `[${reference}]`,
        )
      const rows = {
        products: [],
        combinations: combinations.filter(isWanted),
        stock_availables: combinations.map(({ id }) => stock(id)),
      }[name]
      return rows ? { status: 200, headers: {}, body: rows.length > 0 ? { [name]: rows } : [] } : null
    },
  })
  const set = (item: object) => prestashop.inventory?.set?.send(shop, [{ quantity: 9, ...item }], { id: 's' })
  expect(await set({ sku: 'demo_1' })).toMatchObject([
    { ok: false, error: 'Several articles of the shop have this SKU: 1, 2. Name one of them by variant_remote_id.' },
  ])
  expect(saved).toEqual([])
  expect(await set({ sku: 'demo_1', variant_remote_id: '2' })).toMatchObject([{ ok: true }])
  expect(await set({ variant_remote_id: '3' })).toMatchObject([{ ok: true }])
  expect(saved).toEqual(['stock_availables/102 9', 'stock_availables/103 9'])
})

describe('stock of an installation with several shops', () => {
  const severalShops = (id_shop: number) =>
    openImitation(prestashop, { settings: { ...learned, id_shop }, variant: { shops: 'several' } })

  test.each([
    [1, false],
    [2, true],
  ])('is that of shop %i', async (idShop, isOther) => {
    const { shop } = severalShops(idShop)
    const levels = (await readAll(shop, 'inventory')).map((raw) => prestashop.inventory?.translate(raw, shop))
    expect(levels.length).toBeGreaterThan(0)
    expect(levels.every((level) => level?.available === 4321)).toBe(isOther)
    const [product] = await readAll(shop, 'products')
    expect(prestashop.products?.translate(product, shop).variants.every(({ quantity }) => quantity === 4321)).toBe(
      isOther,
    )
  })

  test('is that of the default shop where its number was not learned', async () => {
    const { id_shop: _, id_shop_group: __, ...before } = learned
    const { shop } = openImitation(prestashop, { settings: before, variant: { shops: 'several' } })
    const levels = (await readAll(shop, 'inventory')).map((raw) => prestashop.inventory?.translate(raw, shop))
    expect(levels.length).toBeGreaterThan(0)
    expect(levels.some((level) => level?.available === 4321)).toBe(false)
  })

  test('is that which the group shares, and not that of another group', async () => {
    const row = (id: number, group: number, quantity: number) => ({
      ...{ id, id_product: '1', id_product_attribute: '0', id_shop: '0', id_shop_group: String(group) },
      ...{ quantity: String(quantity), depends_on_stock: '0', out_of_stock: '2', location: '' },
    })
    const rows = [row(1, 2, 20), row(2, 5, 50)]
    const { shop } = openImitation(prestashop, {
      settings: { ...learned, id_shop: 3, id_shop_group: 5 },
      before: ({ url, request }) =>
        url.includes('stock_availables')
          ? {
              ...{ status: 200, headers: {} },
              body: {
                stock_availables: rows.filter(({ id_shop_group }) =>
                  String(request.query?.['filter[id_shop_group]']).includes(id_shop_group),
                ),
              },
            }
          : null,
    })
    const product = await prestashop.products?.get?.(shop, '1')
    expect(fieldsOf(product)['stocks']).toMatchObject([{ quantity: '50' }])
  })

  test.each([
    [1, false],
    [2, true],
  ])('is set in shop %i alone', async (idShop, isOther) => {
    const { shop, simulator } = severalShops(idShop)
    const [raw] = await readAll(shop, 'inventory')
    const sku = prestashop.inventory?.translate(raw, shop).sku ?? ''
    await prestashop.inventory?.set?.send(shop, [{ sku, quantity: 77 }], { id: 's' })
    const subjects = simulator.ledger().flatMap((entry) => (entry.kind === 'effect' ? [entry.subject] : []))
    expect(subjects).toHaveLength(1)
    expect(String(subjects[0]).startsWith('other shop')).toBe(isOther)
  })
})
