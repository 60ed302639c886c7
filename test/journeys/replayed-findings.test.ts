import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Stage } from '../../src/simulator/shop/order.ts'
import type { Simulator } from '../../src/simulator/start.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'
import { untilHolds } from '../support/until.ts'

/**
 * What went wrong on a real WooCommerce and a real PrestaShop (docs/findings.md), call by call as it was met: through both
 * versions of the API, with the shop's own ledger as the judge.
 */

const simulated = simulatedShops()
let server: TestServer
let merchant: Merchant
beforeAll(async () => {
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes })
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await simulated.close()
  await server.close()
})

type Json = Record<string, unknown>
const amounts = ['subtotal', 'discount_total', 'shipping_total', 'tax_total', 'fee_total', 'refunded_total', 'total']
const ofOrders = [
  'payment_status',
  'fulfillment_status',
  'hold_reason',
  'prices_include_tax',
  'shipping_method',
  'note',
]
const ofLines = ['remote_id', 'product_remote_id', 'variant_remote_id', 'sku', 'quantity', 'quantity_fulfilled']
const listIn = (record: unknown, name: string) => Object(record)[name] as Json[]
const named = (record: unknown, names: readonly string[]) => names.map((name) => Object(record)[name])
/** A bare number, or one with its currency. */
const number = (value: unknown) => (value === null ? null : Number(Object(value).amount ?? value))
const numbers = (record: unknown, names: readonly string[]) => named(record, names).map(number)

/** An order in one form, whichever it was told in. */
const formOf = (record: unknown, { lines, price }: { lines: string; price: string }) => ({
  words: [...named(record, [...ofOrders, 'admin_url']), Object(record).status],
  amounts: numbers(record, amounts),
  lines: listIn(record, lines).map((line) => [
    ...named(line, [...ofLines, 'quantity_refunded', 'quantity_cancelled']),
    ...numbers(line, [price, 'discount', 'tax', 'total']),
  ]),
  fees: listIn(record, 'fees').map((fee) => numbers(fee, ['amount', 'tax'])),
  refunds: listIn(record, 'refunds').map((refund) => [
    ...named(refund, ['remote_id', 'reason', 'refunded_at']),
    number(refund['amount']),
    listIn(refund, 'lines').map((line) => [
      ...named(line, ['order_line_remote_id', 'quantity']),
      number(line['amount']),
    ]),
  ]),
})
const toldOf = (record: unknown) => formOf(record, { lines: 'lines', price: 'unit_price' })
const heldOf = (record: unknown) => formOf(record, { lines: 'items', price: 'price' })

describe.each([
  { platform: 'woocommerce', sendsParts: true },
  { platform: 'prestashop', sendsParts: false },
])('a shop on $platform', ({ platform, sendsParts }) => {
  let shop: Simulator
  let path: string
  let key: string
  /** Paid orders of which nothing has left, each for one test. */
  let fresh: string[]

  beforeAll(async () => {
    shop = await simulated.open({ platform, orders: 120, products: 8 })
    // Nobody has explained the statuses that the shop has invented.
    const { order_statuses: _, ...settings } = shop.install.settings
    const integration = data(await installOn(merchant, shop, { settings }))
    path = `/integrations/${integration['id']}`
    key = String(integration['gateway_key'])
    const runs = async () => rows(await merchant.asApp('GET', `${path}/runs`)).map(({ status }) => status)
    await untilHolds(async () => expect(await runs()).toEqual(Array(3).fill('completed')))
    fresh = shop.truth().flatMap(({ remote_id: id, stage, custom_status: own, parcels }) => {
      const pieces = shop.order(id)?.lines.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0
      return stage === 'paid' && own === null && parcels === 0 && pieces > 1 ? [id] : []
    })
  })

  const next = (): string => {
    const id = fresh.shift()
    if (id === undefined) throw new Error('The shop has no more orders like that.')
    return id
  }
  const v1 = (method: string, rest: string, body: unknown) =>
    server.call(method, `/api/1.0${rest}`, { token: merchant.userToken, headers: { 'x-gateway-key': key }, body })
  const act = (resource: string, fields: object) =>
    merchant.asApp('POST', `${path}/action`, { resource, carrier: 'DHL', ...fields })

  async function sync(): Promise<void> {
    const { id } = data(await merchant.asApp('POST', `${path}/action`, { resource: 'sync_orders' }))
    const read = async () => data(await merchant.asApp('GET', `${path}/runs/${id}`))
    await expect.poll(async () => (await read())['finished_at']).not.toBeNull()
    expect(await read()).toMatchObject({ status: 'completed' })
  }
  const stored = async (remoteId: string, more = '') => {
    const filter = `integration_id=${path.split('/')[2]}&remote_id=${remoteId}${more}`
    const [order] = rows(await merchant.asApp('GET', `/orders?${filter}`))
    if (!order) throw new Error('We have no such order.')
    return order
  }
  const ship = async (remoteId: string, more: object = {}) =>
    await v1('POST', '/shipments', {
      ...{ order_id: (await stored(remoteId))['id'], tracking_number: `N-${remoteId}`, carrier: 'DHL', ...more },
    })
  const move = async (remoteId: string, stage: Stage) => {
    shop.moveOrder(remoteId, stage)
    await sync()
    return (await stored(remoteId))['status']
  }
  /** What the shop was made to do meanwhile. */
  async function effectsOf(work: () => Promise<void>): Promise<string[]> {
    const mark = shop.ledger().at(-1)?.seq ?? 0
    await work()
    const effects = shop.ledger(mark).flatMap((entry) => (entry.kind === 'effect' ? [entry.operation] : []))
    return effects.filter((operation) => !operation.startsWith('webhook.'))
  }

  test('all that the shop says of an order, its lines, fees and refunds is in the list of stored ones', async () => {
    const live = rows(await merchant.asApp('POST', `${path}/action`, { resource: 'get_orders', limit: 100 }))
    const list = await merchant.asApp('GET', `/orders?integration_id=${path.split('/')[2]}&per_page=100`)
    const kept = new Map(rows(list).map((order) => [order['remote_id'], order]))
    const both = live.flatMap((order) => (kept.has(order['remote_id']) ? [[order, kept.get(order['remote_id'])]] : []))
    expect(both.length).toBeGreaterThan(30)
    for (const [told, held] of both) expect(heldOf(held)).toEqual(toldOf(told))
    const parts = both.map(([told]) => toldOf(told))
    expect(parts.some(({ refunds }) => refunds.length > 0)).toBe(true)
    expect(new Set(parts.map(({ words }) => words[0])).size).toBeGreaterThan(2)
  })

  test.each<[Stage, string]>([
    ['cancelled', 'CANCELLED'],
    ['unpaid', 'UNPAID'],
    ['sent', 'SHIPPED'],
  ])('an order that was %s and is taken up again can be sent, and its history says so', async (stage, word) => {
    const id = next()
    expect([await move(id, stage), await move(id, 'paid')]).toEqual([word, 'PENDING'])
    const { history } = await stored(id, '&include=history')
    expect((history as { status: string }[]).map(({ status }) => status)).toEqual(['PENDING', word, 'PENDING'])
    expect((await ship(id)).status).toBe(201)
    expect(shop.order(id)?.stage).toBe('sent')
  })

  test.each<Stage>(['cancelled', 'unpaid', 'held'])(
    'an order that is %s in the shop is not sent by either version',
    async (stage) => {
      const id = next()
      const parcel = { order_remote_id: id, tracking_number: 'N-1' }
      const effects = await effectsOf(async () => {
        shop.moveOrder(id, stage)
        expect((await ship(id)).status).toBe(422)
        expect((await act('create_shipment', parcel)).status).toBe(422)
        await sync()
        expect((await ship(id)).status).toBe(422)
        expect(JSON.stringify(errors(await act('create_shipment', parcel)))).toContain('Set force to do it anyway.')
      })
      expect([effects, shop.order(id)?.stage]).toEqual([[], stage])
    },
  )

  test.each<Stage>(['sent', 'delivered'])(
    'an order that was %s in the meantime is not cancelled by either version',
    async (stage) => {
      const id = next()
      const { id: ours } = await stored(id)
      const effects = await effectsOf(async () => {
        shop.moveOrder(id, stage)
        expect((await v1('PUT', `/orders/${ours}/cancel`, {})).status).toBe(422)
        const again = await merchant.asApp('POST', `${path}/action`, { resource: 'cancel_order', remote_id: id })
        expect(again.status).toBe(422)
      })
      expect([effects, shop.order(id)?.stage]).toEqual([[], stage])
    },
  )

  test('why an order is cancelled is in its history, whichever version was told', async () => {
    const [one, other] = [next(), next()]
    const reason = 'Sold out'
    expect((await v1('PUT', `/orders/${(await stored(one))['id']}/cancel`, { reason })).status).toBe(200)
    data(await merchant.asApp('POST', `${path}/action`, { resource: 'cancel_order', remote_id: other, reason }))
    for (const id of [one, other]) {
      const { status, history } = await stored(id, '&include=history')
      expect(status).toBe('CANCELLED')
      const step = { status: 'CANCELLED', source: 'api', note: reason }
      expect(history).toContainEqual(expect.objectContaining(step))
    }
  })

  test('lines that are not in the order, and more than it has, are refused at their field', async () => {
    const id = next()
    const [line] = (await stored(id))['items'] as { remote_id: string }[]
    const effects = await effectsOf(async () => {
      const parcel = (order_line_remote_id: string | undefined, quantity: number) =>
        act('create_shipment', {
          order_remote_id: id,
          tracking_number: 'N-1',
          lines: [{ order_line_remote_id, quantity }],
        })
      const [unknown, more] = [await parcel('999999', 1), await parcel(line?.remote_id, 9999)]
      expect([unknown.status, Object.keys(errors(unknown))]).toEqual([422, ['lines.0.order_line_remote_id']])
      expect([more.status, Object.keys(errors(more))]).toEqual([422, ['lines.0.quantity']])
    })
    expect(effects).toEqual([])
  })

  test('a parcel with one piece is not told as the whole order', async () => {
    const id = next()
    const [line] = (await stored(id))['items'] as { sku: string; remote_id: string }[]
    const items = [{ sku: line?.sku, quantity: 1 }]
    if (!sendsParts) {
      const effects = await effectsOf(async () => {
        const answer = await ship(id, { items })
        expect([answer.status, JSON.stringify(errors(answer))]).toEqual([422, expect.stringContaining('as a whole')])
      })
      return expect([effects, shop.order(id)?.stage]).toEqual([[], 'paid'])
    }
    expect((await ship(id, { items, tracking_number: 'P-1' })).status).toBe(201)
    expect(shop.order(id)?.parcels).toMatchObject([{ trackingNumber: 'P-1', lines: [{ quantity: 1 }] }])
    expect(shop.order(id)?.stage).not.toBe('sent')
    // Whatever is left goes with the second, and that makes it whole.
    expect((await ship(id, { tracking_number: 'P-2' })).status).toBe(201)
    expect(shop.order(id)?.stage).toBe('sent')
    expect((await ship(id, { tracking_number: 'P-3' })).status).toBe(422)
  })

  test('orders in a status that nobody has explained are here, held, and no call fails on them', async () => {
    const own = shop.truth().filter(({ custom_status: status }) => status !== null)
    for (const { remote_id: id } of own) {
      const { status, hold_reason: why } = await stored(id)
      // PrestaShop says of every state whether it is paid.
      expect([status, why]).toEqual(
        sendsParts ? ['ON_HOLD', expect.stringContaining('unknown status: ')] : ['PENDING', null],
      )
    }
    expect(own.length).toBeGreaterThan(0)
    const [first] = own
    expect(
      (await merchant.asApp('POST', `${path}/action`, { resource: 'get_order', remote_id: first?.remote_id })).status,
    ).toBe(200)
    for (const word of ['PENDING', 'open']) {
      const listed = await merchant.asApp('POST', `${path}/action`, { resource: 'get_orders', order_status: [word] })
      expect([word, listed.status]).toEqual([word, 200])
    }
  })
})
