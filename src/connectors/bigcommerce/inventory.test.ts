import { describe, expect, test } from 'vitest'
import { facts, open, put, query } from '../../../test/support/bigcommerce-shop.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { inventory } from './inventory.ts'
import { toInventoryLevel } from './translate-product.ts'
import { webhooks } from './webhooks.ts'

/** The items of each time that stock was set. */
const setIn = (asked: ReturnType<typeof open>['asked']): Fields[][] =>
  asked.flatMap(({ request }) => (request.method === 'PUT' ? [fieldsOf(request.body)['items'] as Fields[]] : []))

describe('stock', () => {
  test('is set so that what is kept back is not counted', async () => {
    const { simulator, asked, shop } = open()
    const { sku = '' } = simulator.truthOfInventory().at(0) ?? {}
    const items = [{ sku, quantity: 40, location: '2' }]
    expect(await inventory.set?.send(shop, items, { id: 'a' })).toMatchObject([{ ok: true }])
    expect(setIn(asked).at(-1)).toMatchObject([{ location_id: 2, quantity: 42 }])
    expect(simulator.truthOfInventory().find((one) => one.sku === sku && one.location_remote_id === '2')).toMatchObject(
      {
        available: 40,
      },
    )
  })

  test('one that is refused does not keep the others from being set; products are counted as products', async () => {
    const imitation = open({
      // The shop gives one up while its stock is being set.
      before({ request }) {
        if (request.method === 'PUT' && !leaving.deleted) imitation.simulator.world.shop.stockroom.remove(leaving)
        return null
      },
    })
    const { simulator, asked, shop } = imitation
    put(imitation, 'JAR')
    const leaving = put(imitation, 'LEAVING')
    const [several = ''] = simulator.truthOfProducts().find(({ skus }) => skus.length > 1)?.skus ?? []
    const items = ['JAR', 'LEAVING', several, 'NOBODY'].map((sku) => ({ sku, quantity: 5 }))
    const results = await inventory.set?.send(shop, [...items, { sku: 'JAR', quantity: 1, location: '9' }], {
      id: 'a',
    })
    expect(results?.map(({ ok, error }) => [ok, error])).toEqual([
      [true, null],
      [false, '[Item was not found]'],
      [true, null],
      [false, 'The shop has no such article.'],
      [false, 'The shop has no such location.'],
    ])
    expect(setIn(asked).some(([item]) => item?.['product_id'] !== undefined)).toBe(true)
  })

  test('of articles that are counted by product and by variant is set together; how they are counted is asked once', async () => {
    const imitation = open()
    const { simulator, asked, shop } = imitation
    const skus = ['JAR', 'CAN', 'TIN'].map((sku) => put(imitation, sku).variants[0]?.sku ?? '')
    skus.push(...(simulator.truthOfProducts().find((one) => one.skus.length > 1)?.skus ?? []))
    const set = async (quantity: number) => {
      const before = asked.length
      const settings = skus.map((sku) => ({ sku, quantity }))
      const results = await inventory.set?.send(shop, settings, { id: `a${quantity}` })
      expect(results?.every(({ ok }) => ok)).toBe(true)
      return asked.slice(before).filter(({ request }) => /adjustments|catalog/.test(request.path)).length
    }
    expect(await set(5)).toBe(3)
    expect(await set(6)).toBe(1)
    const left = simulator.truthOfInventory().filter((one) => skus.includes(one.sku) && one.location_remote_id === '1')
    expect(left.map(({ available }) => available)).toEqual(skus.map(() => 6))
  })

  test('of articles with a comma in their number is found as well', async () => {
    const imitation = open()
    put(imitation, 'JAR,2')
    const items = [{ sku: 'JAR,2', quantity: 5 }]
    expect(await inventory.set?.send(imitation.shop, items, { id: 'a' })).toMatchObject([{ ok: true }])
  })

  test('of an article without a number is left out', async () => {
    const imitation = open({ products: 3 })
    const { shop, simulator } = imitation
    put(imitation, '')
    const articles = simulator.truthOfInventory().filter(({ location_remote_id: at }) => at === '1')
    const { items } = await inventory.list(shop, query)
    expect(items.map(toInventoryLevel).map(({ sku }) => sku)).toEqual(
      articles.map(({ sku }) => sku).filter((sku) => sku !== ''),
    )
    expect(items).toHaveLength(articles.length - 1)
    await expect(inventory.list(shop, { ...query, cursor: 'x' })).rejects.toMatchObject({ kind: 'upstream_refused' })
  })
})

test('the stock of one article is read by itself, at all its places', async () => {
  const imitation = open()
  const { asked, shop } = imitation
  const { items } = await inventory.list(shop, query)
  const [one] = items.map(toInventoryLevel)
  const ofVariant = items.map(toInventoryLevel).filter(({ sku }) => sku === one?.sku)
  const before = asked.length
  const levels = await inventory.levelsOf?.(shop, one?.variant_remote_id ?? '')
  expect(asked.slice(before).map(({ request }) => [request.path, request.query?.['variant_id:in']])).toEqual([
    ['/v3/inventory/items', one?.variant_remote_id],
  ])
  const found = levels?.map(toInventoryLevel) ?? []
  expect(found.map(({ location_remote_id: place }) => place)).toEqual(['1', '2', '3'])
  expect(found).toEqual(expect.arrayContaining(ofVariant))
  // A product as a whole has the levels of all its variants.
  const message = (scope: string, data: object) => ({
    ...{ method: 'POST', headers: {}, query: {} },
    raw: Buffer.from(JSON.stringify({ scope, data, producer: 'stores/abc123', hash: 'h', created_at: 1_790_000_000 })),
  })
  const told = webhooks.read(message('store/product/inventory/updated', { type: 'product', id: 77 }), facts)
  expect(told.changes).toEqual([{ kind: 'inventory', remoteId: 'product:77', raw: null }])
  const product = fieldsOf(fieldsOf(items[0])['identity'])['product_id']
  const whole = await inventory.levelsOf?.(shop, `product:${product}`)
  expect(whole?.map(toInventoryLevel)).toEqual(expect.arrayContaining(ofVariant))
  expect(await inventory.levelsOf?.(shop, 'x')).toEqual([])
})
