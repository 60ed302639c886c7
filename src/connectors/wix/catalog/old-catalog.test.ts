import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { effectsOf, losing } from '../../../../test/support/lost-answers.ts'
import type { ReadQuery } from '../../../commerce/connector/reads.ts'
import { prices } from '../changes/set-prices.ts'
import { wix } from '../index.ts'
import { auth } from '../install/auth.ts'
import { orders } from '../orders.ts'
import type { Credentials, Settings, WixShop } from '../settings.ts'
import { inventory } from './inventory.ts'
import { products } from './products.ts'
import { toProduct } from './translate-product.ts'

const open = () => openImitation<Settings, Credentials>(wix, { orders: 5, products: 25, variant: { catalog: 'v1' } })
const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 10 }
const operation = { id: 'set-inventory-0123456789abcdef' }

async function readAll(reads: typeof products | typeof inventory, shop: WixShop, asked: Partial<ReadQuery> = {}) {
  const all: unknown[] = []
  for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
    const page = await reads.list(shop, { ...query, ...asked, cursor })
    all.push(...page.items)
    cursor = page.next
  }
  return all
}

describe('a site with Catalog V1', () => {
  test('is connected, and has its orders', async () => {
    const { shop } = open()
    await auth.checkAccess(shop)
    expect((await orders.list(shop, query)).items).toHaveLength(5)
  })

  test('has all its products, page by page; only the first is asked for in the other catalogue', async () => {
    const { shop, asked, simulator } = open()
    const all = (await readAll(products, shop)).map((raw) => products.translate(raw, shop))
    const truth = simulator.truthOfProducts()
    expect(all.map(({ remote_id: id, title, variants }) => [id, title, variants.map(({ sku }) => sku)])).toEqual(
      truth.map(({ remote_id: id, title, skus }) => [id, title, skus]),
    )
    expect(asked.filter(({ url }) => url.includes('/stores/v3/'))).toHaveLength(1)
    expect(asked.at(-1)?.request.body).toEqual({
      query: { sort: '[{"numericId":"asc"}]', paging: { limit: 10, offset: 20 } },
      ...{ includeVariants: true, includeHiddenProducts: true },
    })
    const ids = all.flatMap(({ variants }) => variants.map((one) => one.remote_id))
    expect(new Set(ids).size).toBe(ids.length)
    const one = all.find(({ variants }) => variants.length > 1)
    const found = products.translate(await products.get?.(shop, one?.remote_id ?? ''), shop)
    expect({ ...found, raw: null }).toEqual({ ...one, raw: null })
    expect(await products.get?.(shop, '00000002-0000-4000-8000-00000000ffff')).toBeNull()
  })

  test('has what changed since, and nothing that is older', async () => {
    const { shop } = open()
    const times = (await readAll(products, shop)).map((raw) => toProduct(raw).remote_updated_at ?? '').sort()
    const since = times[15] ?? ''
    expect(await readAll(products, shop, { updatedSince: since })).toHaveLength(
      times.filter((one) => one >= since).length,
    )
  })

  test('has one number for each article, which is set, once, also where the answer got lost', async () => {
    const { shop, simulator } = open()
    const levels = async () => (await readAll(inventory, shop)).map((raw) => inventory.translate(raw, shop))
    const bare = (list: readonly { sku: string; variant_remote_id: string | null; available: number }[]) =>
      list.map(({ sku, variant_remote_id: id, available }) => [sku, id, available])
    expect(bare(await levels())).toEqual(bare(simulator.truthOfInventory()))
    const [single, other] = [1, 2].map((count) =>
      simulator.world.shop.stockroom
        .byNumber()
        .find(({ variants }) => (count === 1 ? variants.length === 1 : variants.length > 1)),
    )
    const [one, two] = [single?.variants[0]?.sku ?? '', other?.variants[1]?.sku ?? '']
    const settings = [
      { sku: one, quantity: 71 },
      { sku: two, quantity: 72 },
      { sku: 'no such sku', quantity: 1 },
      { sku: one, quantity: 2, location: 'somewhere' },
    ]
    await expect(inventory.set?.send(losing(shop, /^PATCH/), settings, operation)).rejects.toThrow('got lost')
    expect(await inventory.set?.send(shop, settings, operation)).toMatchObject([
      ...[{ ok: true }, { ok: true }, { ok: false, error: 'The shop has no such article.' }],
      { ok: false, error: 'The article is not kept at this location.' },
    ])
    expect(effectsOf(simulator, 'inventory.set')).toEqual([one, two])
    const now = new Map((await levels()).map(({ sku, available }) => [sku, available]))
    expect([now.get(one), now.get(two)]).toEqual([71, 72])
  })

  test('is asked for the products that our copy knows, and for no others', async () => {
    const { shop, asked, simulator } = open()
    const [first] = simulator.truthOfProducts()
    const knowing = { ...shop, productsWith: async () => [first?.remote_id ?? ''] }
    await inventory.set?.send(knowing, [{ sku: first?.skus[0] ?? '', quantity: 9 }], operation)
    const questions = asked.filter(({ url }) => url.includes('/stores-reader/')).map(({ request }) => request.body)
    expect(questions).toMatchObject([{ query: { filter: JSON.stringify({ id: { $in: [first?.remote_id] } }) } }])
  })

  test('takes no prices, and says why', async () => {
    const { shop, simulator } = open()
    const sku = simulator.truthOfProducts()[0]?.skus[0] ?? ''
    expect(await prices.set.send(shop, [{ sku, price: '1.00', currency: 'EUR' }], operation)).toMatchObject([
      { ok: false, error: expect.stringContaining('still has Catalog V1') },
    ])
  })

  test.each(['v1|', 'v1|x', 'v1|-1', 'v1|1234567890'])('takes no cursor %j', async (cursor) => {
    await expect(products.list(open().shop, { ...query, cursor })).rejects.toMatchObject({ message: 'Invalid cursor.' })
  })
})

describe('a product of Catalog V1', () => {
  const raw = {
    ...{ id: 'p1', name: 'Teapot', visible: false, sku: 'POT', productType: 'physical', description: '<p>Pours.</p>' },
    ...{ lastUpdated: '2026-10-03T11:30:00.250Z', priceData: { currency: 'EUR', price: 15, discountedPrice: 12.5 } },
    stock: { trackInventory: true, quantity: 4 },
  }

  test('that is sold as it is has itself as its variant, with its own price and number', () => {
    const expected = {
      ...{ remote_id: 'p1', status: 'inactive', url: null, images: [] },
      variants: [
        {
          ...{
            remote_id: 'p1',
            sku: 'POT',
            quantity: 4,
            price: { amount: '12.50' },
            compare_at_price: { amount: '15.00' },
          },
        },
      ],
    }
    expect(toProduct(raw)).toMatchObject(expected)
    const zeros = { id: '00000000-0000-0000-0000-000000000000', choices: {}, stock: raw.stock, variant: { sku: '' } }
    expect(toProduct({ ...raw, variants: [zeros] })).toMatchObject(expected)
  })

  test('of several kinds has their prices, choices and stock; what is not counted has none', () => {
    const variant = (id: string, colour: string, stock: object) => ({
      ...{ id, choices: { Colour: colour, Odd: 7 }, stock },
      variant: { sku: `POT-${colour}`, priceData: { currency: 'EUR', price: 10, discountedPrice: 10 } },
    })
    const stocks = [
      { trackQuantity: true, quantity: 2 },
      { trackQuantity: false, inStock: true, quantity: 0 },
    ] as const
    const made = toProduct({ ...raw, variants: [variant('a', 'Red', stocks[0]), variant('b', 'Blue', stocks[1])] })
    expect(made).toMatchObject({
      options: [{ name: 'Colour', values: ['Red', 'Blue'] }],
      variants: [
        {
          remote_id: 'a',
          sku: 'POT-Red',
          title: 'Red',
          quantity: 2,
          price: { amount: '10.00' },
          compare_at_price: null,
        },
        { remote_id: 'b', sku: 'POT-Blue', quantity: null, track_inventory: false },
      ],
    })
  })
})
