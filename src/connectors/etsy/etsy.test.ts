import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample,
  readSpecification,
} from '../../../test/support/vendor-specification.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { ShopOrder } from '../../simulator/shop/order.ts'
import { moneyIn } from './amounts.ts'
import { etsy } from './index.ts'
import { orders } from './orders.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { toOrder } from './translate-order.ts'
import { webhooks } from './webhooks.ts'

const facts = { shop: 'adacups.etsy.com', settings: { shop_id: 42 } }
const credentials = { access_token: '7.token', refresh_token: '7.again', api_key: 'us:shh' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(etsy, { facts, credentials }, answers)

function open() {
  const imitation = openImitation<Settings, Credentials>(etsy, { orders: 110 })
  const { simulator } = imitation
  const openOrder = (wanted: (order: ShopOrder) => boolean = () => true) => {
    const found = simulator.truth().find(({ remote_id: id }) => {
      const order = simulator.order(id)
      return order?.stage === 'paid' && wanted(order)
    })
    if (!found) throw new Error('No order is left.')
    return found.remote_id
  }
  /** Each parcel is one to the buyer. */
  const letters = () =>
    simulator
      .ledger()
      .flatMap((one) => (one.kind === 'effect' && one.operation === 'shipment.create' ? [one.subject] : []))
  return { ...imitation, openOrder, letters }
}

const money = (amount: number) => ({ amount, divisor: 100, currency_code: 'EUR' })
const rawLine = { transaction_id: 1, title: 'Cup', quantity: 1, price: money(1250), is_digital: false }
const rawReceipt = {
  ...{ receipt_id: 9000, created_timestamp: 1_790_000_000, updated_timestamp: 1_790_000_000 },
  ...{ grandtotal: money(1750), total_price: money(1250), total_shipping_cost: money(500) },
  ...{ status: 'paid', is_paid: true, is_shipped: false, transactions: [rawLine] },
}
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

describe('amounts', () => {
  test.each([
    [3000, 100, 'USD', '30.00'],
    [5, 100, 'EUR', '0.05'],
    [3325, 1, 'JPY', '3325'],
    [-250, 100, 'EUR', '-2.50'],
    [12_345, 1000, 'KWD', '12.345'],
  ])('%i / %i %s are %s', (amount, divisor, currency, expected) => {
    const fields = { price: { amount, divisor, currency_code: currency } }
    expect(moneyIn(fields, 'price')).toEqual({ amount: expected, currency })
  })

  test('that are divided by anything else are not guessed at', () => {
    expect(() => moneyIn({ price: { amount: 1, divisor: 3, currency_code: 'EUR' } }, 'price')).toThrow(TypeError)
  })
})

describe('orders', () => {
  test('of the official shape are understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const sample = fieldsOf(readSample('etsy/samples/synthetic.getShopReceipts.response.json'))
    expect(recordsIn(sample, 'results').flatMap((raw) => whatDoesNotAddUp(toOrder(raw)))).toEqual([])
    expect(recordsIn(sample, 'results').map(toOrder)).toMatchObject([
      {
        remote_id: '1000000001',
        status: 'open',
        payment_status: 'paid',
        fulfillment_status: 'unfulfilled',
        subtotal: { amount: '25.00', currency: 'USD' },
        shipping_total: { amount: '5.00', currency: 'USD' },
        total: { amount: '30.00', currency: 'USD' },
        customer: { remote_id: '2002', email: 'ada@example.com' },
        shipping_address: { name: 'Ada Example', city: 'Portland', region: 'OR', country_code: 'US' },
        placed_at: '2025-10-02T10:00:00.000000Z',
        ship_by: '2025-10-05T10:00:00.000000Z',
        lines: [
          {
            sku: 'MUG-BLUE',
            product_remote_id: '4000000001',
            quantity: 2,
            unit_price: { amount: '12.50' },
            total: { amount: '25.00' },
          },
        ],
      },
    ])
  })

  const receipt = (change: object) => toOrder({ ...rawReceipt, ...change })

  test.each([
    ['Paid', true, false, 'open', 'paid', 'unfulfilled'],
    ['paid', true, true, 'completed', 'paid', 'fulfilled'],
    ['Completed', true, true, 'completed', 'paid', 'fulfilled'],
    ['open', false, false, 'pending', 'pending', 'unfulfilled'],
    ['payment processing', false, false, 'pending', 'pending', 'unfulfilled'],
    ['Canceled', false, false, 'cancelled', 'voided', 'unfulfilled'],
    ['fully refunded', true, false, 'open', 'refunded', 'unfulfilled'],
    ['fully refunded', true, true, 'completed', 'refunded', 'fulfilled'],
    ['partially refunded', true, true, 'completed', 'partially_refunded', 'fulfilled'],
  ])('that are %s (paid %s, sent %s) are %s, %s and %s', (status, is_paid, is_shipped, ours, paid, sent) => {
    expect(receipt({ status, is_paid, is_shipped })).toMatchObject({
      status: ours,
      payment_status: paid,
      fulfillment_status: sent,
      remote_status: status,
    })
  })

  test('of words that nobody knows are held', () => {
    const held = { status: 'on_hold', hold_reason: 'unknown status: lost at sea' }
    expect(receipt({ status: 'lost at sea' })).toMatchObject(held)
  })

  test('add up: price less discount, sending and both taxes', () => {
    const order = receipt({
      total_price: money(2500),
      subtotal: money(2250),
      discount_amt: money(250),
      total_tax_cost: money(110),
      total_vat_cost: money(90),
      grandtotal: money(2950),
      refunds: [{ amount: money(100) }, { amount: money(50) }],
      transactions: [{ ...rawLine, quantity: 2, shop_coupon: 2.5, is_digital: true }],
    })
    expect(order).toMatchObject({
      subtotal: { amount: '25.00' },
      discount_total: { amount: '2.50' },
      shipping_total: { amount: '5.00' },
      tax_total: { amount: '2.00' },
      total: { amount: '29.50' },
      refunded_total: { amount: '1.50' },
      fulfillment_status: 'not_required',
      lines: [{ discount: { amount: '2.50' }, total: { amount: '22.50' }, requires_shipping: false }],
    })
  })

  test('are asked for oldest change first, from no time before Etsy was there', async () => {
    const { shop, asked } = open()
    await orders.list(shop, { ...query, updatedSince: '1999-01-01T00:00:00.000000Z' })
    expect(asked[0]?.request.query).toMatchObject({
      min_last_modified: 946_684_800,
      sort_on: 'updated',
      sort_order: 'asc',
    })
  })

  test('are all read while they change', async () => {
    const { shop, simulator } = open()
    const { book } = simulator.world.shop
    const ids = new Set<string>()
    for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
      const got = await orders.list(shop, { ...query, cursor })
      for (const raw of got.items) ids.add(toOrder(raw).remote_id)
      const [oldest = 0] = book.byChange()
      book.change(oldest, { editNote: true })
      cursor = got.next
    }
    expect(ids.size).toBe(book.count())
  })

  test('that are refused say why in Etsy’s words', async () => {
    const answer = { status: 400, body: { error: 'Invalid limit.' } }
    await expect(orders.list(scripted(answer).shop, query)).rejects.toMatchObject({ message: 'Invalid limit.' })
  })
})

describe('parcels', () => {
  test('go with any carrier: those that Etsy does not know are others', async () => {
    const { shop, asked, openOrder, letters } = open()
    const draft = { order_remote_id: openOrder(), tracking_number: 'T-9', carrier: 'Heidi Kurier' }
    expect(await shipments.create.send(shop, draft, { id: 'x' })).toMatchObject({
      tracking_number: 'T-9',
      carrier_name: 'other',
    })
    const posts = asked.filter(({ request }) => request.method === 'POST').map(({ request }) => request.body)
    expect(posts).toEqual(['tracking_code=T-9&carrier_name=Heidi+Kurier', 'tracking_code=T-9&carrier_name=other'])
    expect(letters()).toHaveLength(1)
  })

  test('are sent once, for each time is a letter to the buyer', async () => {
    const { shop, asked, openOrder, letters } = open()
    const id = openOrder(({ lines: [first, ...others] }) => first?.quantity === 1 && others.length === 0)
    const draft = { order_remote_id: id, tracking_number: 'A&B 1', carrier: 'bpost' }
    const parcel = await shipments.create.send(shop, draft, { id: 'x' })
    expect(parcel).toMatchObject({ tracking_number: 'A&B 1', carrier_name: 'bpost', lines: [{ quantity: 1 }] })
    expect(await shipments.create.send(shop, draft, { id: 'x' })).toEqual(parcel)
    expect(letters()).toEqual([`${id} A&B 1`])
    const posts = asked.filter(({ request }) => request.method === 'POST')
    expect(posts.map(({ request }) => request.body)).toEqual(['tracking_code=A%26B+1&carrier_name=bpost'])
  })

  test('have everything, or are refused', async () => {
    const { shop, openOrder } = open()
    const order = toOrder(
      await orders.get(
        shop,
        openOrder(({ lines: [first] }) => (first?.quantity ?? 0) > 1),
      ),
    )
    const all = order.lines[0]?.quantity ?? 0
    const draft = { order_remote_id: order.remote_id, tracking_number: 'T', carrier: 'bpost' }
    const lines = (quantity: number) =>
      order.lines.map(({ remote_id: id, quantity: whole }, n) => ({
        order_line_remote_id: id,
        quantity: n === 0 ? quantity : whole,
      }))
    await expect(shipments.create.send(shop, { ...draft, lines: lines(1) }, { id: 'x' })).rejects.toMatchObject({
      message: 'Etsy knows only orders that are sent as a whole.',
    })
    expect(await shipments.create.send(shop, { ...draft, lines: lines(all) }, { id: 'x' })).toMatchObject({
      tracking_number: 'T',
    })
  })
})

describe('messages', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`
  const signed = (raw: Buffer, by = 'a secret of thirty-two bytes, ok') => {
    const signature = createHmac('sha256', by).update('msg_1.1790000000.').update(raw).digest('base64')
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1790000000' }
    return {
      method: 'POST',
      headers: { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= v1,${signature}` },
      query: {},
      raw,
    }
  }
  const secrets = { registration: [], client: { webhook_secret: secret } }

  test('of the official shape are understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const delivery = signed(Buffer.from(readSpecification('etsy/samples/webhook.order.paid.json')))
    expect(webhooks.verify(delivery, secrets)).toBe(true)
    expect(webhooks.read(delivery, facts)).toEqual({
      deliveryId: 'msg_1',
      topic: 'order.created',
      changes: [{ kind: 'order', remoteId: '54321', raw: null }],
      at: '2026-09-21T14:13:20.000000Z',
    })
    expect(webhooks.identityOf?.(delivery)).toBe('42')
    expect(() => webhooks.read(delivery, { ...facts, settings: { shop_id: 43 } })).toThrow('another shop')
  })

  test('are true by the known vector of Standard Webhooks, and by no other secret', () => {
    const raw = Buffer.from('{"test": 2432232314}')
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const vector = { method: 'POST', headers, query: {}, raw }
    const known = { registration: [], client: { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } }
    expect(webhooks.verify(vector, known)).toBe(true)
    expect(webhooks.verify(vector, secrets)).toBe(false)
    expect(webhooks.verify(vector, { registration: [], client: { webhook_secret: 'whsec_' } })).toBe(false)
  })
})
