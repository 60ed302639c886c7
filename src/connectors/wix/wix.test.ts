import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation, openOrder } from '../../../test/support/imitation.ts'
import { effectsOf, losing } from '../../../test/support/lost-answers.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import { fieldsOf } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { products } from './catalog/products.ts'
import { prices } from './changes/set-prices.ts'
import { refunds } from './create-refund.ts'
import { wix } from './index.ts'
import { orders } from './orders.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { toOrder } from './translate-order.ts'

const facts = { shop: '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d.wix.com', settings: { instance_id: 'i' } }
const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(wix, { facts, credentials: { access_token: 'token' } }, answers)

const open = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(wix, { orders: 110, ...options })

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 20 }
const operation = { id: 'create-refund-0123456789abcdef' }

describe('orders', () => {
  test('that wait for their money are asked for by name, and come oldest change first', async () => {
    const { shop, asked } = open()
    const page = await orders.list(shop, { ...query, updatedSince: '2025-06-01T10:00:00.123456Z' })
    expect(asked[0]?.request.body).toEqual({
      search: {
        filter: {
          status: { $in: ['APPROVED', 'CANCELED', 'PENDING', 'REJECTED'] },
          updatedDate: { $gte: '2025-06-01T10:00:00.123Z' },
        },
        sort: [{ fieldName: 'updatedDate', order: 'ASC' }],
        cursorPaging: { limit: 20 },
      },
    })
    const all = [...page.items]
    for (let { next } = page; next !== null; ) {
      const more = await orders.list(shop, { ...query, cursor: next })
      all.push(...more.items)
      next = more.next
    }
    expect(all.map((raw) => toOrder(raw).status)).toContain('pending')
    const times = all.map((raw) => toOrder(raw).remote_updated_at)
    expect(times).toEqual([...times].sort())
  })

  test('bring their parcels and refunds in two questions for a page, and in none where there are none', async () => {
    const { shop, asked } = open()
    const page = await orders.list(shop, { ...query, limit: 100 })
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual([
      '/ecom/v1/orders/search',
      '/ecom/v1/fulfillments/list-by-ids',
      '/ecom/v1/payments/list-by-ids',
    ])
    const sent = page.items.map(fieldsOf).filter(({ fulfillmentStatus }) => fulfillmentStatus !== 'NOT_FULFILLED')
    expect(fieldsOf(asked[1]?.request.body)['orderIds']).toEqual(sent.map(({ id }) => id))
    const none = scripted({ body: { orders: [], metadata: { hasNext: false } } })
    expect(await orders.list(none.shop, query)).toEqual({ items: [], next: null, total: null })
    expect(none.asked).toHaveLength(1)
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

  test('are read on where a cursor is no longer taken, and none is left out', async () => {
    const { shop } = open()
    const first = await orders.list(shop, query)
    const last = toOrder(first.items.at(-1))
    const outdated = (first.next ?? '').replace(/\|.*$/, '|gone')
    const again = await orders.list(shop, { ...query, cursor: outdated })
    const ids = again.items.map((raw) => toOrder(raw).remote_id)
    expect(ids).toContain(last.remote_id)
    expect(again.items.map((raw) => toOrder(raw).remote_updated_at)[0]).toBe(last.remote_updated_at)
    for (const cursor of ['', 'nonsense', '2026|'])
      await expect(orders.list(shop, { ...query, cursor })).rejects.toMatchObject({ message: 'Invalid cursor.' })
  })

  test('that are refused say why in the words of Wix, with what is wrong in particular', async () => {
    const error = { code: 'INVALID_ARGUMENT', description: 'limit is too large' }
    const answer = { status: 400, body: { message: 'Bad request.', details: { applicationError: error } } }
    const said = { message: 'Bad request. limit is too large' }
    await expect(orders.list(scripted(answer).shop, query)).rejects.toMatchObject(said)
  })

  test('of an id that is none are not asked for', async () => {
    const { shop, asked } = open()
    for (const id of ['10001', '../orders', '', 'x'.repeat(36)]) expect(await orders.get(shop, id)).toBeNull()
    expect(asked).toEqual([])
  })

  test('are cancelled once, with goods back into stock, and the buyer is written to only if that is wanted', async () => {
    const imitation = open()
    const { shop, asked, simulator } = imitation
    const id = openOrder(simulator)
    const [line] = simulator.order(id)?.lines ?? []
    const stock = () => simulator.world.shop.stockroom.bySku(line?.sku ?? '')?.stock[0] ?? 0
    const before = stock()
    const cancel = { remoteId: id, reason: 'Sold out' }
    await expect(orders.cancel?.send(losing(shop, /cancel$/), cancel, operation)).rejects.toThrow('got lost')
    expect(await orders.cancel?.send(shop, cancel, operation)).toMatchObject({ status: 'cancelled' })
    expect(effectsOf(imitation.simulator, 'order.cancel')).toEqual([id])
    expect(stock()).toBeGreaterThanOrEqual(before + (line?.quantity ?? 0))
    const bodies = () => asked.flatMap(({ url, request }) => (url.endsWith('/cancel') ? [request.body] : []))
    expect(bodies()).toEqual([{ sendOrderCanceledEmail: false, restockAllItems: true }])
    const next = { remoteId: openOrder(simulator), reason: 'Sold out', notifyCustomer: true }
    await orders.cancel?.send(shop, next, operation)
    expect(bodies()[1]).toMatchObject({ sendOrderCanceledEmail: true, customMessage: 'Sold out' })
  })
})

describe('parcels', () => {
  const several = (imitation: ReturnType<typeof open>) =>
    openOrder(imitation.simulator, ({ lines: [first] }) => (first?.quantity ?? 0) > 1)

  test('go in parts: what is left is reckoned, and the order is sent when nothing is', async () => {
    const imitation = open()
    const { shop } = imitation
    const id = several(imitation)
    const order = toOrder(await orders.get(shop, id))
    const [line] = order.lines
    const part = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1 }]
    const draft = { order_remote_id: id, tracking_number: 'P-1', carrier: 'Canada Post' }
    expect(await shipments.create.send(shop, { ...draft, lines: part }, operation)).toMatchObject({
      ...{ tracking_number: 'P-1', carrier_code: 'canadaPost', carrier_name: 'Canada Post', lines: part },
    })
    expect(toOrder(await orders.get(shop, id))).toMatchObject({ status: 'open', fulfillment_status: 'partial' })
    const too = [{ order_line_remote_id: line?.remote_id ?? '', quantity: line?.quantity ?? 0 }]
    const more = {
      ...draft,
      tracking_number: 'P-2',
      carrier: 'Heidi Kurier',
      tracking_url: 'https://heidi.example/P-2',
    }
    await expect(shipments.create.send(shop, { ...more, lines: too }, operation)).rejects.toMatchObject({
      message: expect.stringContaining('fewer are left'),
    })
    const rest = await shipments.create.send(shop, more, operation)
    expect(rest).toMatchObject({ carrier_name: 'Heidi Kurier', tracking_url: 'https://heidi.example/P-2' })
    const after = toOrder(await orders.get(shop, id))
    expect(after).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
    expect(after.lines.map(({ quantity, quantity_fulfilled: sent }) => quantity - sent)).toEqual(
      after.lines.map(() => 0),
    )
    await expect(shipments.create.send(shop, { ...draft, tracking_number: 'P-3' }, operation)).rejects.toMatchObject({
      message: 'Nothing in the order is left to ship.',
    })
  })

  test('whose answer got lost are found by their number, and made once', async () => {
    const imitation = open()
    const { shop, simulator } = imitation
    const id = openOrder(simulator)
    const draft = { order_remote_id: id, tracking_number: 'L-1', carrier: 'ups' }
    if (shipments.create.repeatable) throw new Error('Wix has no key for it.')
    expect(await shipments.create.confirm(shop, draft, operation)).toBeNull()
    await expect(shipments.create.send(losing(shop, /create-/), draft, operation)).rejects.toThrow('got lost')
    const found = await shipments.create.confirm(shop, draft, operation)
    expect(found).toMatchObject({ tracking_number: 'L-1', carrier_name: 'UPS' })
    expect(await shipments.create.send(shop, draft, operation)).toEqual(found)
    expect(effectsOf(imitation.simulator, 'shipment.create')).toHaveLength(1)
  })

  test('are corrected, and taken back, also where the answer got lost', async () => {
    const imitation = open()
    const { shop, simulator } = imitation
    const id = openOrder(simulator)
    const draft = { order_remote_id: id, tracking_number: 'C-1', carrier: 'ups' }
    const parcel = await shipments.create.send(shop, draft, operation)
    const amendment = { ...draft, previous_tracking_number: 'C-1', tracking_number: 'C-2', carrier: 'DHL' }
    expect(await shipments.amend?.send(shop, amendment, operation)).toMatchObject({
      ...{ remote_id: parcel.remote_id, tracking_number: 'C-2', carrier_code: 'dhl' },
    })
    await expect(
      shipments.amend?.send(shop, { ...amendment, previous_tracking_number: 'X' }, operation),
    ).rejects.toMatchObject({ message: 'The order has no such shipment.' })
    const cancel = shipments.cancel
    if (!cancel || cancel.repeatable) throw new Error('It is read before it is sent again.')
    const wanted = { order_remote_id: id, tracking_number: 'C-2' }
    await expect(cancel.send(losing(shop, /^DELETE/), wanted, operation)).rejects.toThrow('got lost')
    expect(await cancel.confirm(shop, wanted, operation)).toMatchObject({ status: 'open', shipments: [] })
    expect(effectsOf(imitation.simulator, 'shipment.cancel')).toEqual([parcel.remote_id])
  })

  test('of orders that wait for their payment are refused by Wix, in its words', async () => {
    const { shop, simulator } = open()
    const waiting = simulator.truth().find(({ stage }) => stage === 'unpaid')?.remote_id ?? ''
    const draft = { order_remote_id: waiting, tracking_number: 'W-1', carrier: 'ups' }
    await expect(shipments.create.send(shop, draft, operation)).rejects.toMatchObject({
      message: 'Order is not approved',
    })
  })
})

describe('refunds', () => {
  const wantedOf = (id: string, amount: string) => ({
    ...{ order_remote_id: id, currency: 'EUR', amount, lines: [], restock: false, reason: 'Late' },
    before: { refunds: [], refunded: '0.00' },
  })

  test('are paid by what Wix can pay back, once, also where the answer got lost', async () => {
    const imitation = open()
    const { shop, simulator, asked } = imitation
    const id = openOrder(simulator)
    const { create } = refunds
    if (create.repeatable) throw new Error('Paying back twice is paying twice.')
    await expect(create.send(losing(shop, /refund-payments$/), wantedOf(id, '1.00'), operation)).rejects.toThrow(
      'got lost',
    )
    expect(await create.confirm(shop, wantedOf(id, '1.00'), operation)).toMatchObject({
      ...{ payment_status: 'partially_refunded', refunded_total: { amount: '1.00' } },
    })
    expect(effectsOf(imitation.simulator, 'refund.create')).toEqual([id])
    const sent = asked.find(({ url }) => url.endsWith('refund-payments'))?.request.body
    expect(sent).toMatchObject({
      ...{
        orderId: id,
        customerReason: 'Late (89abcdef)',
        sideEffects: { notifications: { sendCustomerEmail: false } },
      },
      paymentRefunds: [{ amount: { amount: '1.00' }, externalRefund: false }],
    })
  })

  test('of another one that looks the same are left to people', async () => {
    const { shop, simulator } = open()
    const id = openOrder(simulator)
    await refunds.create.send(shop, wantedOf(id, '1.00'), { id: 'somebody-else-00000000' })
    if (refunds.create.repeatable) throw new Error('Paying back twice is paying twice.')
    await expect(refunds.create.confirm(shop, wantedOf(id, '1.00'), operation)).rejects.toMatchObject({
      errors: { force: [expect.any(String)] },
    })
  })

  test('are shared among several payments, and refused where they do not suffice', async () => {
    const payment = (paymentId: string, amount: string, more = {}) => ({
      ...{ refundable: true, payment: { paymentId, monetary: { maxRefund: { amount } } } },
      ...more,
    })
    const payments = [payment('a', '3.00'), payment('gift', '9.00', { refundable: false }), payment('b', '5.00')]
    const id = '00000001-0000-4000-8000-000000000001'
    const { shop, asked } = scripted({ body: { payments } })
    await refunds.create.send(shop, wantedOf(id, '4.50'), operation).catch(() => null)
    expect(asked[1]?.request.body).toMatchObject({
      paymentRefunds: [
        { paymentId: 'a', amount: { amount: '3.00' } },
        { paymentId: 'b', amount: { amount: '1.50' } },
      ],
    })
    const short = scripted({ body: { payments } })
    await expect(refunds.create.send(short.shop, wantedOf(id, '8.01'), operation)).rejects.toMatchObject({
      message: expect.stringContaining('cannot pay back that much'),
    })
    expect(short.asked).toHaveLength(1)
  })

  test('with long reasons keep the name by which they are found', async () => {
    const { shop, simulator, asked } = open()
    const id = openOrder(simulator)
    const reason = `Because ${'of this '.repeat(40)}and that`
    const after = await refunds.create.send(shop, { ...wantedOf(id, '1.00'), reason }, operation)
    const sent = fieldsOf(asked.find(({ url }) => url.endsWith('refund-payments'))?.request.body)['customerReason']
    expect([String(sent).length <= 200, String(sent).endsWith('(89abcdef)')]).toEqual([true, true])
    expect(after.refunds).toHaveLength(1)
  })
})

describe('products', () => {
  test('that are sold as they are have their variant too, although the list of variants leaves them out', async () => {
    const { shop, asked, simulator } = open()
    const page = await products.list(shop, { ...query, limit: 100 })
    const all = page.items.map((raw) => products.translate(raw, shop))
    const truth = simulator.truthOfProducts()
    expect(all.map(({ remote_id: id, variants }) => [id, variants.map(({ sku }) => sku)]).sort()).toEqual(
      truth.map(({ remote_id: id, skus }) => [id, skus]).sort(),
    )
    const single = truth.filter(({ skus }) => skus.length === 1).length
    const paths = asked.map(({ request }) => `${request.method} ${request.path.replace(/[0-9a-f-]{36}/, ':id')}`)
    expect(paths.filter((path) => path === 'GET /stores/v3/products/:id')).toHaveLength(single)
    expect(paths.filter((path) => path.endsWith('query-variants'))).toHaveLength(1)
  })

  test('that are deleted while they are read are left out', async () => {
    const row = { id: '00000002-0000-4000-8000-000000000001', updatedDate: '2026-01-01T00:00:00.000Z' }
    const { shop } = scripted({ body: { products: [row] } }, { body: { variants: [] } }, { status: 404, body: {} })
    expect(await products.list(shop, query)).toMatchObject({ items: [] })
  })

  test('take a price with all their variants, once more where somebody was quicker, and once where an answer got lost', async () => {
    const imitation = open()
    const { shop, simulator } = imitation
    const { stockroom } = simulator.world.shop
    const product = stockroom.byNumber().find(({ variants }) => variants.length > 1)
    const [one, two] = product?.variants ?? []
    const setting = { sku: one?.sku ?? '', price: '77.70', currency: 'EUR' }
    await expect(prices.set.send(losing(shop, /^PATCH/), [setting], operation)).rejects.toThrow('got lost')
    expect(await prices.set.send(shop, [setting], operation)).toMatchObject([{ ok: true }])
    expect(effectsOf(imitation.simulator, 'price.set')).toEqual([one?.sku])
    let isQuicker = true
    const racing = openImitation<Settings, Credentials>(wix, {
      before: ({ request }) => {
        if (request.method === 'PATCH' && isQuicker) {
          isQuicker = false
          const other = racing.simulator.world.shop.stockroom.bySku(two?.sku ?? '')
          if (other) racing.simulator.world.shop.stockroom.reprice(other, 4321)
        }
        return null
      },
    })
    expect(await prices.set.send(racing.shop, [setting], operation)).toMatchObject([{ ok: true }])
    const stock = racing.simulator.world.shop.stockroom
    expect([stock.bySku(one?.sku ?? '')?.price, stock.bySku(two?.sku ?? '')?.price]).toEqual([7770, 4321])
  })
})
