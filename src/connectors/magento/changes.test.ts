import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { Shop } from '../../commerce/shop.ts'
import { magento } from './index.ts'
import { toOrder } from './translate-order.ts'
import { toInventoryLevel } from './translate-product.ts'

const learned = { currency: 'EUR', weight_unit: 'kgs', media_url: 'https://bikes.example/media_url/', stock: 'sources' }
const first = { updatedSince: null, statuses: [], cursor: null, limit: 100 }
const orderOf = async (shop: Shop, id: string) => toOrder(await magento.orders?.get(shop, id))

describe('bundles', () => {
  /** An open order with a set of two, and the line of what is in it. */
  async function withSet(bundles: 'apart' | 'together') {
    const opened = openImitation(magento, { variant: { bundles } })
    const ids = opened.simulator.truth().filter(({ stage }) => stage === 'paid')
    for (const { remote_id: id } of ids) {
      const order = await orderOf(opened.shop, id)
      const part = order.lines.find((line) => line.attributes.some(({ name }) => name === 'Bundle'))
      if (part) return { ...opened, order, part }
    }
    throw new Error('No order has a set in it.')
  }
  const sendOf = (shop: Shop, id: string, part: { remote_id: string; quantity: number }, number = 'T-1') =>
    magento.shipments?.create.send(
      shop,
      {
        ...{ order_remote_id: id, tracking_number: number, carrier: 'DHL' },
        lines: [{ order_line_remote_id: part.remote_id, quantity: part.quantity }],
      },
      { id: number },
    )

  test.each(['apart', 'together'] as const)('whose parts leave %s are sent by their parts', async (bundles) => {
    const { shop, order, part } = await withSet(bundles)
    const sent = await sendOf(shop, order.remote_id, part)
    expect(sent?.lines).toEqual([{ order_line_remote_id: part.remote_id, quantity: part.quantity }])
    const after = await orderOf(shop, order.remote_id)
    const line = after.lines.find((one) => one.remote_id === part.remote_id)
    expect(line?.quantity_fulfilled).toBe(part.quantity)
  })

  test('are broken up only where the shop sends their parts apart', async () => {
    const { shop, order, part } = await withSet('together')
    const half = { ...part, quantity: 1 }
    await expect(sendOf(shop, order.remote_id, half)).rejects.toThrow(/as a whole/)
    const other = await withSet('apart')
    const sent = await sendOf(other.shop, other.order.remote_id, { ...other.part, quantity: 1 })
    expect(sent?.lines).toEqual([{ order_line_remote_id: other.part.remote_id, quantity: 1 }])
  })
})

describe('reservations', () => {
  async function levelsOf(shop: Shop) {
    const all: unknown[] = []
    let cursor: string | null = null
    do {
      const page: RawPage | undefined = await magento.inventory?.list(shop, { ...first, cursor })
      all.push(...(page?.items ?? []))
      cursor = page?.next ?? null
    } while (cursor !== null)
    return all.flatMap((raw) => magento.inventory?.translate(raw, shop) ?? [])
  }
  const reservedIn = async (shop: Shop) => {
    const level = (await levelsOf(shop)).find(({ reserved }) => (reserved ?? 0) > 0)
    if (!level) throw new Error('Nothing is reserved.')
    return level
  }

  test('are not available, and lie on the shelf all the same', async () => {
    const { shop, simulator } = openImitation(magento, { settings: learned })
    const truth = new Map(
      simulator.truthOfInventory().map((one) => [`${one.sku} ${one.location_remote_id}`, one.available]),
    )
    const levels = await levelsOf(shop)
    expect(levels.some(({ reserved }) => (reserved ?? 0) > 0)).toBe(true)
    for (const { sku, location_remote_id: place, available, on_hand: shelf, reserved } of levels) {
      expect(available).toBe(truth.get(`${sku} ${place}`))
      expect(shelf).toBe(available + (reserved ?? 0))
    }
  })

  test('are added to what is to be available, unless what lies there is counted', async () => {
    const { shop, asked } = openImitation(magento, { settings: learned })
    const { sku, reserved } = await reservedIn(shop)
    const setting = { sku, quantity: 40, location: 'default' }
    const sentBy = async (opened: Shop) => {
      await magento.inventory?.set?.send(opened, [setting], { id: 's' })
      return recordsIn(fieldsOf(asked.at(-1)?.request.body), 'sourceItems')[0]?.['quantity']
    }
    expect(await sentBy(shop)).toBe(40 + (reserved ?? 0))
    expect((await levelsOf(shop)).find((one) => one.sku === sku)?.available).toBe(40)
    expect(await sentBy({ ...shop, settings: { ...shop.settings, levels_count: 'on_hand' } })).toBe(40)
  })

  test('that the shop does not tell leave what lies there', async () => {
    const noRoute = { status: 404, headers: {}, body: { message: 'Request does not match any route.' } }
    const { shop } = openImitation(magento, {
      settings: learned,
      before: ({ url }) => (url.includes('export-stock-salable-qty') ? noRoute : null),
    })
    const [level] = await levelsOf(shop)
    expect(level).toMatchObject({ reserved: null, available: level?.on_hand })
  })
})

test('goods by weight have whole levels: what is not a whole one is not offered, and what is reserved of one is', () => {
  const cheese = { sku: 'CHEESE', source_code: 'default', quantity: 12.75, reserved: 2.4, status: 1 }
  expect(toInventoryLevel(cheese)).toMatchObject({ available: 10, on_hand: 12, reserved: 3 })
  expect(toInventoryLevel({ ...cheese, reserved: 12.4 }).available).toBe(0)
})

describe('a shop with one stock', () => {
  const single = { ...learned, stock: 'single' }

  test('is read by the hundred, not article by article', async () => {
    const { shop, asked, simulator } = openImitation(magento, { variant: { stock: 'single' }, settings: single })
    const page = await magento.inventory?.list(shop, first)
    expect(page?.items.length).toBeGreaterThan(20)
    expect(page?.items).toHaveLength(Math.min(100, simulator.truthOfInventory().length))
    expect(asked).toHaveLength(2)
  })

  test('sets what has a slash in its number without it being in the path', async () => {
    const { shop, asked, simulator } = openImitation(magento, { variant: { stock: 'single' }, settings: single })
    const variants = [{ sku: 'A/B 1', title: 'Default Title', price: 100, stock: 3 }]
    const { stockroom } = simulator.world.shop
    stockroom.add({ title: 'Slashed', html: '', status: 'active', images: [], variants })
    const results = await magento.inventory?.set?.send(shop, [{ sku: 'A/B 1', quantity: 8 }], { id: 's' })
    expect(results).toMatchObject([{ ok: true }])
    expect(stockroom.bySku('A/B 1')?.stock[0]).toBe(8)
    expect(asked.some(({ url }) => new URL(url).pathname.includes('%2F'))).toBe(false)
  })
})

test('why an order is cancelled is a comment for the people at the shop, once, where the key may comment', async () => {
  for (const lacks of [undefined, 'Magento_Sales::comment']) {
    const { shop, simulator } = openImitation(magento, lacks ? { variant: { lacks } } : {})
    const remoteId = simulator.truth().find(({ stage }) => stage === 'unpaid')?.remote_id ?? ''
    for (const _ of [1, 2])
      expect(
        await magento.orders?.cancel?.send(shop, { remoteId, reason: 'Changed their mind' }, { id: 'c' }),
      ).toMatchObject({ status: 'cancelled' })
    const { status_histories: told } = fieldsOf(await magento.orders?.get(shop, remoteId))
    expect(told).toMatchObject(lacks ? [] : [{ comment: 'Changed their mind' }])
  }
})

test('the price of an article that changes brings its product with the next changes', async () => {
  const { shop, simulator } = openImitation(magento, { settings: learned })
  const { stockroom } = simulator.world.shop
  // Its own time stays as it was.
  const product = stockroom.byChange().find(({ variants, index }) => variants.length > 1 && index % 5 === 0)
  const [variant] = product?.variants ?? []
  if (!product || !variant) throw new Error('No product has several articles.')
  const all: unknown[] = []
  const since = new Date(simulator.world.clock.now() / 1000).toISOString()
  stockroom.reprice(variant, variant.price + 500)
  let cursor: string | null = null
  do {
    const page: RawPage | undefined = await magento.products?.list(shop, { ...first, updatedSince: since, cursor })
    all.push(...(page?.items ?? []))
    cursor = page?.next ?? null
  } while (cursor !== null)
  const [told] = all.flatMap((raw) => magento.products?.translate(raw, shop) ?? [])
  expect(all).toHaveLength(1)
  expect(told?.variants[0]).toMatchObject({ sku: variant.sku, price: { amount: (variant.price / 100).toFixed(2) } })
})

describe('the buyer', () => {
  const mailed = async (settings: object, told: object) => {
    const { shop, asked, simulator } = openImitation(magento, { settings: { ...settings } })
    const draft = { order_remote_id: openOrder(simulator), tracking_number: 'T', carrier: 'DHL', ...told }
    await magento.shipments?.create.send(shop, draft, { id: 's' })
    return fieldsOf(asked.find(({ request }) => request.method === 'POST')?.request.body)['notify']
  }

  test.each([
    [true, {}, {}],
    [false, {}, { notify_customer: false }],
    [false, { notify_customers: false }, {}],
    [true, { notify_customers: false }, { notify_customer: true }],
  ])('is written to: %s, by settings %o and request %o', async (expected, settings, told) => {
    expect(await mailed(settings, told)).toBe(expected)
  })
})

describe('amounts of orders in another currency', () => {
  const inCurrency = async (currency: string) => {
    const opened = openImitation(magento)
    for (const { remote_id: id } of opened.simulator.truth().filter(({ stage }) => stage === 'delivered')) {
      const order = await orderOf(opened.shop, id)
      if (order.currency === currency) return { ...opened, order }
    }
    throw new Error(`No order is in ${currency}.`)
  }
  const refund = (shop: Shop, { remote_id: id, currency }: { remote_id: string; currency: string }, amount: string) =>
    magento.refunds?.create.send(
      shop,
      {
        ...{ order_remote_id: id, currency, amount, lines: [], restock: false, reason: null },
        before: { refunds: [], refunded: '0.00' },
      },
      { id: 'r' },
    )

  test('are told in that of the shop, and named where they do not come out', async () => {
    const { shop, asked, order } = await inCurrency('PLN')
    await refund(shop, order, '4.30')
    const sent = fieldsOf(asked.find(({ request }) => request.method === 'POST')?.request.body)
    expect(sent['arguments']).toMatchObject({ adjustment_positive: 1 })
    expect(await orderOf(shop, order.remote_id)).toMatchObject({ refunded_total: { amount: '4.30', currency: 'PLN' } })
    await expect(refund(shop, order, '10.00')).rejects.toThrow('10.02 PLN can be refunded, 10.00 cannot')
  })
})
