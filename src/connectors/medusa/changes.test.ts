import { describe, expect, test } from 'vitest'
import type { Fields } from '../../commerce/reading.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import { authenticate, openMedusa } from './auth.ts'
import { exportProduct } from './export-product.ts'
import { listLevels, setLevels } from './inventory.ts'
import { cancelOrder, indexOrders, listOrders } from './orders.ts'
import { pageById } from './pages.ts'
import type { MedusaShop } from './settings.ts'
import { createShipment, findShipment } from './shipments.ts'
import { timeAt } from './stand-records.ts'
import { onStand, scripted } from './stand-shop.ts'
import { changedAt, toOrder, versionOf } from './translate-order.ts'

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
    const { shop } = onStand()
    const since = timeAt(241).replace('Z', '000Z')
    const found = await all(shop, since)
    const known = (await listOrders(shop, { updatedSince: null, statuses: [], cursor: null, limit: 100 })).items.map(
      (raw) => toOrder(raw),
    )
    const changed = known.filter((order) => order.remote_updated_at >= since).map((order) => order.remote_id)
    expect(changed.length).toBeGreaterThan(5)
    expect(found.toSorted()).toEqual(changed.toSorted())
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
    const { shop } = onStand()
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
    expect(await indexed('1970-01-01T00:00:00.000000Z', 90)).toHaveLength(63)
    const since = timeAt(241).replace('Z', '000Z')
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

  test('are not asked for with words that the server would stumble over', async () => {
    const { shop, asked } = scripted([])
    expect(await listOrders(shop, { updatedSince: null, statuses: ['nonsense'], cursor: null, limit: 5 })).toEqual({
      items: [],
      next: null,
      total: 0,
    })
    expect(asked).toEqual([])
  })
})

describe('sending', () => {
  test('packs, then sends, and leaves the carrier with the parcel', async () => {
    const { shop, stand, asked } = onStand()
    const id = stand.openOrder()
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
    const posts = asked.filter(({ method }) => method === 'POST').map(({ path }) => path.replace(/ful_\w+/, '*'))
    expect(posts).toEqual([`/admin/orders/${id}/fulfillments`, `/admin/orders/${id}/fulfillments/*/shipments`])
  })

  test('goes on with a parcel that was packed and never went', async () => {
    const { shop, stand, asked } = onStand()
    const draft = { order_remote_id: stand.openOrder(), tracking_number: 'M-2', carrier: 'Post' }
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
    expect(asked.filter(({ method, path }) => method === 'POST' && path.endsWith('/fulfillments'))).toHaveLength(1)
    expect(stand.doubles()).toEqual([])
  })

  test('keeps a parcel that is sent from being cancelled with its order', async () => {
    const { shop, stand } = onStand()
    const id = stand.openOrder()
    await createShipment(shop, { order_remote_id: id, tracking_number: 'M-3', carrier: 'Post' })
    await expect(cancelOrder(shop, { remoteId: id })).rejects.toThrow('All fulfillments must be canceled')
    await expect(cancelOrder(shop, { remoteId: 'none' })).rejects.toMatchObject({ kind: 'upstream_refused' })
  })
})

describe('stock and products', () => {
  test('a level is what can be sold, besides what is reserved', async () => {
    const { shop, asked } = onStand()
    const { items } = await listLevels(shop, { updatedSince: null, statuses: [], cursor: null, limit: 100 })
    const { item, level } = items[7] as { item: Fields; level: Fields }
    await setLevels(shop, [{ sku: String(item['sku']), quantity: 10, location: String(level['location_id']) }])
    expect(asked.at(-1)?.body).toMatchObject({
      update: [
        {
          inventory_item_id: item['id'],
          location_id: level['location_id'],
          stocked_quantity: 10 + Number(level['reserved_quantity']),
        },
      ],
    })
  })

  test('servers that know no batches are told one by one', async () => {
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
    expect(asked.slice(3).map(({ path, body }) => [path, body])).toEqual([
      ['/admin/inventory-items/iitem_1/location-levels/sloc_1', { stocked_quantity: 5 }],
      ['/admin/inventory-items/iitem_1/location-levels', { location_id: 'sloc_2', stocked_quantity: 2 }],
    ])
  })

  test('an export in one currency keeps the prices in the others', async () => {
    const { shop } = onStand()
    const product = await exportProduct(shop, { sku: 'POT-1-S', title: 'Pot', price: '9.90', currency: 'EUR' })
    const [variant] = (product.raw as { variants: { prices: Fields[] }[] }).variants
    expect(variant?.prices.map(({ currency_code, amount }) => [currency_code, amount])).toEqual([
      ['usd', 6.5],
      ['eur', 9.9],
    ])
  })
})

describe('a product that is made', () => {
  const draft = { sku: 'NEW-1', title: 'New', price: '3.00', currency: 'EUR' }
  const madeWith = (asked: readonly RemoteRequest[]) =>
    asked.filter(({ method, path }) => method === 'POST' && path === '/admin/products').map(({ body }) => body)

  test('has a way of being sent, or nobody could buy it', async () => {
    const { shop, asked } = onStand()
    await exportProduct(shop, draft)
    expect(madeWith(asked)).toMatchObject([{ handle: 'new-1', shipping_profile_id: expect.stringMatching(/^sp_/) }])
  })

  test('is made without on servers that do not know of it', async () => {
    const { shop, asked } = onStand()
    const old: MedusaShop = {
      ...shop,
      remote: {
        async request(one) {
          const answer = await shop.remote.request(one)
          if (!JSON.stringify(one.body ?? {}).includes('shipping_profile_id')) return answer
          return {
            ...answer,
            status: 400,
            body: { message: "Invalid request: Unrecognized fields: 'shipping_profile_id'" },
          }
        },
      },
    }
    await exportProduct(old, draft).catch(() => null)
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
    const { shop } = onStand()
    const opened = await openMedusa({ ...shop, settings: {} })
    expect(opened).toEqual({ settings: { currency: 'EUR' }, credentials: shop.credentials, expiresAt: null })
  })
})
