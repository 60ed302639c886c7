import { describe, expect, test } from 'vitest'
import type { Egress } from '../runtime/egress/egress-request.ts'
import { cast } from './cast.ts'
import { demoCode, demoHost, demoPlace, demoShopHost, isDemoSeed } from './demo-address.ts'
import { createDemoShops, isDown } from './demo-shops.ts'

const beganAt = new Date('2026-11-16T12:00:00Z')
const code = demoCode(beganAt, 'abc')
const place = { seed: 'abc', beganAt, code }
const day = 86_400_000_000

describe('an address of a demo', () => {
  test.each(cast)('of $name says all there is to know', (shop) => {
    expect(demoPlace(demoShopHost(shop, code))).toEqual({ ...place, slug: shop.slug })
  })

  test.each([
    'shop.example',
    'linden-oak.myshopify.com',
    'acme-demo-company1.myshopify.com',
    'x.demo-.example',
    'erp.demo-abcdefghi.example.com',
    'demo.example',
  ])('%s is none', (host) => {
    expect(demoPlace(host)).toBeNull()
  })

  test('seeds are small letters and digits', () => {
    expect(['a', '0a9', 'A', '', 'a-b', 'a'.repeat(13)].map(isDemoSeed)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('shops of a demo', () => {
  test.each(cast)('$name has a month behind it, of its own goods', async (shop) => {
    const { world } = await createDemoShops().open(shop, place)
    const { book } = world.shop
    const orders = [...book.byNumber()].flatMap((index) => book.get(index) ?? [])
    expect(orders).toHaveLength(shop.orders)
    for (const order of orders) {
      const times = [order.placedAt, order.updatedAt, ...order.refunds.map(({ at }) => at)]
      const sent = order.parcels.map(({ sentAt }) => sentAt)
      for (const at of [...times, ...sent]) {
        expect(at).toBeGreaterThan(beganAt.getTime() * 1000 - 31 * day)
        expect(at).toBeLessThanOrEqual(beganAt.getTime() * 1000)
      }
      expect(shop.countries).toContain(order.shipTo.countryCode)
      expect(order.updatedAt).toBeGreaterThanOrEqual(order.placedAt)
    }
    const stages = new Set(orders.map(({ stage }) => stage))
    for (const stage of ['paid', 'sent', 'delivered', 'cancelled'] as const) expect(stages).toContain(stage)
  })

  test.each(cast)('no parcel of $name is sent before somebody has sent it, hours later', async (shop) => {
    const { world } = await createDemoShops().open(shop, place)
    const { book } = world.shop
    const openedAt = beganAt.getTime() * 1000
    for (const hours of [1, 3]) {
      const now = openedAt + (hours * day) / 24
      world.goOn?.(now)
      const orders = [...book.byNumber()].flatMap((index) => book.get(index) ?? [])
      const late = orders.filter(({ parcels }) => parcels.some(({ sentAt }) => sentAt > now))
      expect(late.map(({ index }) => index)).toEqual([])
    }
  })

  test('are the same by the same seed, in every process and at every time', async () => {
    const [shop] = cast
    if (!shop) throw new Error('There is none.')
    const openedAt = beganAt.getTime() * 1000
    const at = async (...moments: number[]) => {
      const { world } = await createDemoShops().open(shop, place)
      for (const moment of moments) world.goOn?.(openedAt + moment)
      return [...world.shop.book.byNumber()].map((index) => world.shop.book.get(index))
    }
    const hour = day / 24
    const [slowly, atOnce, before] = [await at(hour / 3, hour / 2, hour), await at(hour), await at(0)]
    expect(slowly).toEqual(atOnce)
    expect(atOnce.length).toBeGreaterThan(before.length + 20)
    expect(before).toHaveLength(shop.orders)
    const other = await createDemoShops().open(shop, { ...place, code: demoCode(beganAt, 'other'), seed: 'other' })
    expect(other.world.shop.book.get(0)?.lines).not.toEqual(before[0]?.lines)
  })
})

describe('the way out of a demo', () => {
  const asked: string[] = []
  const outside: Egress = {
    async fetch({ url }) {
      asked.push(url)
      return { status: 204, headers: {}, bytes: Buffer.alloc(0) }
    },
    close: async () => {},
  }

  test('leads other addresses to where they are', async () => {
    const { status } = await createDemoShops().around(outside).fetch({ url: 'https://shop.example/', method: 'GET' })
    expect([status, asked.splice(0)]).toEqual([204, ['https://shop.example/']])
  })

  test('keys of the shop that breaks open it only as long as they hold', async () => {
    const shop = cast.find(({ breaks }) => breaks)
    if (!shop) throw new Error('None breaks.')
    let keysHold = true
    const shops = createDemoShops({ keysHold: () => keysHold })
    const { install } = await shops.open(shop, place)
    const key = Buffer.from(`${install.credentials?.['secret_key']}:`).toString('base64')
    const url = `https://${demoShopHost(shop, code)}/admin/products`
    const ask = () => shops.around(outside).fetch({ url, method: 'GET', headers: { Authorization: `Basic ${key}` } })
    expect((await ask()).status).toBe(200)
    keysHold = false
    expect([(await ask()).status, asked]).toEqual([401, []])
  })

  test('the endpoint is down at first, comes back, and is down again for some minutes of every hour', async () => {
    const down = (seconds: number) => isDown({ beganAt, slug: 'erp' }, beganAt.getTime() + seconds * 1000)
    expect([0, 29, 31, 3300, 3400, 3599, 3601, 7000].map(down)).toEqual([
      ...[true, true, false, false, true, true, false, true],
    ])
    const now = new Date()
    const url = `https://${demoHost('erp', demoCode(now, 'x'))}/hooks/orders`
    expect((await createDemoShops().around(outside).fetch({ url, method: 'POST', body: '{}' })).status).toBe(503)
  })
})
