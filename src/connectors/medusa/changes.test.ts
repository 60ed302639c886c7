import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation, type SentCall } from '../../../test/support/imitation.ts'
import type { Fields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { MemorySimulator } from '../../simulator/simulator.ts'
import { authenticate, openMedusa } from './auth.ts'
import { exportProduct } from './export-product.ts'
import { medusa } from './index.ts'
import { listLevels, setLevels } from './inventory.ts'
import { cancelOrder, indexOrders, listOrders } from './orders.ts'
import { pageById } from './pages.ts'
import { listProducts } from './products.ts'
import type { Credentials, MedusaShop, Settings } from './settings.ts'
import { createShipment, findShipment } from './shipments.ts'
import { changedAt, toOrder, versionOf } from './translate-order.ts'
import { toProduct } from './translate-product.ts'

const onServer = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(medusa, options)

const scripted = (answers: readonly Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(
    medusa,
    { facts: { shop: 'shop.example', settings: {} }, credentials: { secret_key: 'sk' } },
    answers,
  )

const openOrder = (simulator: MemorySimulator): string =>
  simulator.truth().find(({ stage, parcels }) => stage === 'paid' && parcels === 0)?.remote_id ?? ''

/** Four of five orders were last changed before it. */
const lately = (simulator: MemorySimulator): string =>
  simulator
    .truth()
    .map((order) => order.updated_at)
    .sort()
    .at(-12) ?? ''

describe('changes', () => {
  const all = async (shop: MedusaShop, since: string): Promise<string[]> => {
    const items: unknown[] = []
    for (let cursor: string | null = null; ; ) {
      const page = await listOrders(shop, { updatedSince: since, statuses: [], cursor, limit: 5 })
      items.push(...page.items)
      cursor = page.next
      if (cursor === null) return items.map((raw) => toOrder(raw).remote_id)
    }
  }

  test('of a payment alone are found although the order’s time does not move, and found once', async () => {
    const { shop, simulator } = onServer()
    // Long after all else has happened.
    const since = '2026-02-01T00:00:00.000000Z'
    simulator.change({ orders: 20 })
    const found = await all(shop, since)
    const known = (await listOrders(shop, { updatedSince: null, statuses: [], cursor: null, limit: 100 })).items
    const changed = known.filter((raw) => toOrder(raw).remote_updated_at >= since) as Fields[]
    const byPayment = changed.filter((raw) => String(raw['updated_at']) < since)
    expect([byPayment.length > 1, changed.length > byPayment.length]).toEqual([true, true])
    expect(found.toSorted()).toEqual(changed.map(({ id }) => id).toSorted())
  })

  test('of an order that is captured in part show in its version', () => {
    const order = {
      version: 1,
      updated_at: '2026-11-15T05:53:26.807Z',
      payment_collections: [{ updated_at: '2026-11-15T05:53:27.880Z' }],
    }
    const after = { ...order, payment_collections: [{ updated_at: '2026-11-15T05:55:00.640Z' }] }
    expect(changedAt(after)).toBe('2026-11-15T05:55:00.640000Z')
    expect(versionOf(after) > versionOf(order)).toBe(true)
  })

  test('are compared by ids and versions: those of late, with payments, and older ones that have moved', async () => {
    const { shop, simulator } = onServer()
    const to = '2027-01-01T00:00:00.000000Z'
    const indexed = async (from: string, follow: number) => {
      const items: string[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await indexOrders({ ...shop, settings: { follow_days: follow } }, { from, to, cursor })
        items.push(...page.items.map(({ remoteId }) => remoteId))
        cursor = page.next
        if (cursor === null) return items
      }
    }
    expect(await indexed('1970-01-01T00:00:00.000000Z', 90)).toHaveLength(60)
    const since = lately(simulator)
    expect((await indexed(since, 90)).toSorted()).toEqual((await all(shop, since)).toSorted())
  })

  test('of the list below a reader do not make it skip', async () => {
    const rows = (names: string[]) => ({ body: { rows: names.map((id) => ({ id })), count: 5 } })
    const list = { path: '/admin/x', name: 'rows', fields: 'id' }
    // "b" is gone before the second page is read.
    const { shop } = scripted([rows(['a', 'b', 'c']), rows(['d', 'e']), rows(['a', 'c', 'd', 'e'])])
    const first = await pageById(shop, list, { cursor: null, limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    const second = await pageById(shop, list, { cursor: first.next, limit: 2 })
    expect(second.items.map(({ id }) => id)).toEqual(['d', 'e'])
  })
})

describe('sending', () => {
  test('packs, then sends, and leaves the carrier with the parcel', async () => {
    const { shop, simulator, asked } = onServer()
    const id = openOrder(simulator)
    const parcel = await createShipment(shop, {
      order_remote_id: id,
      tracking_number: 'M-1',
      carrier: 'Post',
      tracking_url: 'https://post.example/M-1',
    })
    expect(parcel).toMatchObject({
      status: 'shipped',
      carrier_name: 'Post',
      tracking_number: 'M-1',
      tracking_url: 'https://post.example/M-1',
    })
    const posts = asked
      .filter(({ request }) => request.method === 'POST')
      .map(({ request }) => request.path.replace(/ful_\w+/, '*'))
    expect(posts).toEqual([`/admin/orders/${id}/fulfillments`, `/admin/orders/${id}/fulfillments/*/shipments`])
  })

  test('goes on with a parcel that was packed and never went', async () => {
    const { shop, simulator, asked } = onServer()
    const draft = { order_remote_id: openOrder(simulator), tracking_number: 'M-2', carrier: 'Post' }
    const torn: MedusaShop = {
      ...shop,
      remote: {
        async request(one) {
          if (one.path.endsWith('/shipments')) throw new Error('the wire broke')
          return await shop.remote.request(one)
        },
      },
    }
    await expect(createShipment(torn, draft)).rejects.toThrow('the wire broke')
    expect(await findShipment(shop, draft)).toBeNull()
    expect(await createShipment(shop, draft)).toMatchObject({ status: 'shipped' })
    expect(
      asked.filter(({ request: { method, path } }) => method === 'POST' && path.endsWith('/fulfillments')),
    ).toHaveLength(1)
    expect(simulator.doubles()).toEqual([])
  })

  test('keeps a parcel that is sent from being cancelled with its order', async () => {
    const { shop, simulator } = onServer()
    const id = openOrder(simulator)
    await createShipment(shop, { order_remote_id: id, tracking_number: 'M-3', carrier: 'Post' })
    await expect(cancelOrder(shop, { remoteId: id })).rejects.toThrow('All fulfillments must be canceled')
    await expect(cancelOrder(shop, { remoteId: 'none' })).rejects.toMatchObject({ kind: 'upstream_refused' })
  })
})

describe('stock and products', () => {
  test('a level is what can be sold, besides what is reserved', async () => {
    const { shop, asked } = onServer()
    const { items } = await listLevels(shop, { updatedSince: null, statuses: [], cursor: null, limit: 100 })
    const { item, level } = (items as { item: Fields; level: Fields }[]).find(
      (one) => Number(one.level['reserved_quantity']) > 1,
    ) ?? { item: {}, level: {} }
    await setLevels(shop, [{ sku: String(item['sku']), quantity: 10, location: String(level['location_id']) }])
    expect(asked.at(-1)?.request.body).toMatchObject({
      update: [
        {
          inventory_item_id: item['id'],
          location_id: level['location_id'],
          stocked_quantity: 10 + Number(level['reserved_quantity']),
        },
      ],
    })
  })

  test('servers that know no batches are sent one by one', async () => {
    const item = { id: 'iitem_1', sku: 'A', location_levels: [{ location_id: 'sloc_1', reserved_quantity: 1 }] }
    const { shop, asked } = scripted([
      { body: { stock_locations: [{ id: 'sloc_1' }, { id: 'sloc_2' }] } },
      { body: { inventory_items: [item], count: 1 } },
      { status: 404, body: 'Cannot POST' },
      { body: {} },
      { body: {} },
    ])
    await setLevels(shop, [
      { sku: 'A', quantity: 4 },
      { sku: 'A', quantity: 2, location: 'sloc_2' },
    ])
    expect(asked.slice(3).map(({ request: { path, body } }) => [path, body])).toEqual([
      ['/admin/inventory-items/iitem_1/location-levels/sloc_1', { stocked_quantity: 5 }],
      ['/admin/inventory-items/iitem_1/location-levels', { location_id: 'sloc_2', stocked_quantity: 2 }],
    ])
  })

  test('an export in one currency keeps the prices in the others', async () => {
    const { shop } = onServer()
    const pricesIn = (raw: unknown) =>
      (raw as { variants: { prices: Fields[] }[] }).variants[0]?.prices.map((one) => [
        one['currency_code'],
        one['amount'],
      ])
    const [before] = (await listProducts(shop, { updatedSince: null, statuses: [], cursor: null, limit: 1 })).items
    const [variant] = toProduct(before, shop).variants
    const draft = { sku: variant?.sku ?? '', title: 'Pot', price: '9.90', currency: 'EUR' }
    const { raw } = await exportProduct(shop, draft)
    const dollars = pricesIn(before)?.filter(([currency]) => currency === 'usd')
    expect(dollars).toHaveLength(1)
    expect(pricesIn(raw)).toEqual([['eur', 9.9], ...(dollars ?? [])])
  })
})

describe('a product that is made', () => {
  const draft = { sku: 'NEW-1', title: 'New', price: '3.00', currency: 'EUR' }
  const madeWith = (asked: readonly SentCall[]) =>
    asked
      .map(({ request }) => request)
      .filter(({ method, path }) => method === 'POST' && path === '/admin/products')
      .map(({ body }) => body)

  test('has a way of being sent, or nobody could buy it', async () => {
    const { shop, asked } = onServer()
    await exportProduct(shop, draft)
    expect(madeWith(asked)).toMatchObject([{ handle: 'new-1', shipping_profile_id: expect.stringMatching(/^sp_/) }])
  })

  test('is made without on servers that do not know of it', async () => {
    const { shop, asked } = onServer({ variant: { version: '2.0' } })
    expect(await exportProduct(shop, { ...draft, quantity: 3 })).toMatchObject({ title: 'New' })
    expect(madeWith(asked)).toHaveLength(2)
    expect(madeWith(asked)[1]).not.toHaveProperty('shipping_profile_id')
  })
})

describe('keys', () => {
  test('are the name of somebody without a password', () => {
    const { headers } = authenticate({ method: 'GET', path: '/' }, { secret_key: 'sk_1' })
    expect(headers).toEqual({ authorization: 'Basic c2tfMTo=' })
  })

  test('open the shop, whose currency is asked for', async () => {
    const { shop } = onServer()
    const opened = await openMedusa({ ...shop, settings: {} })
    expect(opened).toEqual({ settings: { currency: 'EUR' }, credentials: shop.credentials, expiresAt: null })
  })
})
