import { describe, expect, test } from 'vitest'
import { openStand, scriptedShop } from '../../../test/support/connector-shop.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { ebay } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { makeStand } from './stand.ts'
import { toOrder } from './translate-order.ts'

const facts = { shop: 'ada-antiques.ebay.com', settings: {} }
const credentials = { access_token: 'token', refresh_token: 'again' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(ebay, { facts, credentials }, answers)
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

describe('orders', () => {
  test('of the official shape are understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const sample = recordsIn(fieldsOf(readSample('ebay/samples/synthetic.getOrders.response.json')), 'orders')
    expect(sample.map(toOrder)).toMatchObject([
      {
        remote_id: '12-34567-89012',
        marketplace: 'EBAY_US',
        status: 'open',
        payment_status: 'paid',
        fulfillment_status: 'unfulfilled',
        subtotal: { amount: '25.00', currency: 'USD' },
        shipping_total: { amount: '5.00', currency: 'USD' },
        total: { amount: '30.00', currency: 'USD' },
        customer: { remote_id: 'testuser_buyer', email: '0000@members.ebay.com', phone: '4085550100' },
        shipping_address: { name: 'Ada Example', line2: 'Unit 2', postal_code: '95125', country_code: 'US' },
        ship_by: '2026-10-05T06:59:59.000000Z',
        lines: [
          {
            ...{ sku: 'MUG-BLUE', variant_remote_id: 'MUG-BLUE', product_remote_id: null },
            ...{ quantity: 2, unit_price: { amount: '12.50' }, total: { amount: '25.00' } },
          },
        ],
      },
    ])
  })

  const whole = async (index: number) => {
    const { shop } = openStand<Settings, Credentials>(ebay, makeStand())
    const all = [...makeStand().books.orders.keys()]
    return toOrder(await orders.get(shop, all[index] ?? ''))
  }

  test.each([
    [0, 'pending', 'pending', 'unfulfilled', 'PENDING'],
    [1, 'open', 'paid', 'unfulfilled', 'NOT_STARTED'],
    [4, 'cancelled', 'refunded', 'unfulfilled', 'CANCELED'],
    [5, 'completed', 'paid', 'fulfilled', 'FULFILLED'],
    [22, 'open', 'paid', 'partial', 'IN_PROGRESS'],
    [7, 'open', 'partially_refunded', 'unfulfilled', 'NOT_STARTED'],
  ])('number %i is %s, %s and %s', async (index, status, paid, sent, word) => {
    expect(await whole(index)).toMatchObject({
      status,
      payment_status: paid,
      fulfillment_status: sent,
      remote_status: word,
    })
  })

  test('have parcels without numbers told apart, which all have one id at eBay', async () => {
    const { raw } = await whole(5)
    const parcel = (line: string) => ({ fulfillmentId: '999', lineItems: [{ lineItemId: line, quantity: 1 }] })
    const { shipments: told } = toOrder({ ...fieldsOf(raw), fulfillments: [parcel('a'), parcel('b')] })
    expect(told.map(({ remote_id: id, tracking_number: number }) => [id, number])).toEqual([
      ['999', null],
      ['999-2', null],
    ])
  })

  test('tell discounts without sign, refunds, parcels and why they were cancelled', async () => {
    // 12.50 + 5.00 for sending - 2.50.
    expect(await whole(3)).toMatchObject({
      subtotal: { amount: '12.50' },
      discount_total: { amount: '2.50' },
      total: { amount: '15.00' },
      lines: [{ discount: { amount: '2.50' }, total: { amount: '10.00' } }],
    })
    expect(await whole(7)).toMatchObject({ refunded_total: { amount: '3.00' }, lines: [{ quantity: 2 }] })
    expect(await whole(5)).toMatchObject({
      lines: [{ quantity: 3, quantity_fulfilled: 3 }],
      shipments: [{ tracking_number: '940015', carrier_code: 'USPS', lines: [{ quantity: 3 }] }],
    })
    expect(await whole(22)).toMatchObject({ lines: [{ quantity: 2, quantity_fulfilled: 1 }] })
    expect(await whole(4)).toMatchObject({ cancel_reason: 'BUYER_CANCEL_ORDER', lines: [{ quantity_cancelled: 2 }] })
  })

  test('of words that nobody knows are set aside', async () => {
    const { raw } = await whole(1)
    for (const name of ['orderPaymentStatus', 'orderFulfillmentStatus']) {
      expect(() => toOrder({ ...fieldsOf(raw), [name]: 'NEW_WORD' })).toThrow('NEW_WORD')
    }
  })

  async function readAll(shop: Parameters<typeof orders.list>[0], limit: number, between: (page: number) => void) {
    const ids: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 300; page++) {
      const got = await orders.list(shop, { ...query, limit, cursor })
      ids.push(...got.items.map((order) => toOrder(order).remote_id))
      cursor = got.next
      if (cursor === null) return ids
      between(page)
    }
    throw new Error('The list has no end.')
  }

  test.each([2, 3, 7, 20, 100])('are read whole by %i, though eBay lists the newest first', async (limit) => {
    const stand = makeStand()
    const { shop } = openStand<Settings, Credentials>(ebay, stand)
    const ids = await readAll(shop, limit, () => {})
    expect([...ids].sort()).toEqual([...stand.books.orders.keys()].sort())
  })

  test('are all read while they change', async () => {
    const stand = makeStand()
    const { shop } = openStand<Settings, Credentials>(ebay, stand)
    const all = [...stand.books.orders.values()]
    const ids = await readAll(shop, 6, (page) => {
      const order = all[page]
      if (order) order['lastModifiedDate'] = new Date(stand.books.now + page).toISOString()
    })
    expect(new Set(ids).size).toBe(all.length)
  })

  test('begin anew where a cursor is none of ours', async () => {
    const { shop } = openStand<Settings, Credentials>(ebay, makeStand())
    const begin = await orders.list(shop, query)
    for (const cursor of ['', 'nonsense', '1|2|-3', '1|2']) {
      expect(await orders.list(shop, { ...query, cursor })).toEqual(begin)
    }
  })

  test('are never asked for from more than two years ago', async () => {
    const { shop, asked } = openStand<Settings, Credentials>(ebay, makeStand())
    const page = await orders.list(shop, { ...query, limit: 100 })
    expect(page.items).toHaveLength(70)
    const filters = asked.flatMap(({ request }) => request.query?.['filter'] ?? [])
    expect(filters).toEqual(['lastmodifieddate:[2024-11-16T06:00:00.000Z..]'])
  })

  test('are cancelled where eBay lets them be, with a token of another name', async () => {
    const stand = makeStand()
    const { shop, asked } = openStand<Settings, Credentials>(ebay, stand)
    const id = stand.openOrder()
    const cancel = (remoteId: string) => orders.cancel?.send(shop, { remoteId, reason: 'address issues' }, { id: 'x' })
    expect(await cancel(id)).toMatchObject({ status: 'cancelled', cancel_reason: 'ADDRESS_ISSUES' })
    const told = asked.filter(({ url }) => url.includes('/post-order/'))
    expect(told.map(({ request }) => request.headers?.['authorization'])).toEqual(['IAF right', 'IAF right'])
    const sent = [...stand.books.orders.values()].find(({ parcels }) => parcels.length > 0)
    await expect(cancel(sent?.orderId ?? '')).rejects.toMatchObject({
      message: 'eBay does not let this order be cancelled: ORDER_ALREADY_SHIPPED.',
    })
  })

  test('that the buyer wants cancelled are agreed to', async () => {
    const stand = makeStand()
    const order = stand.books.orders.get(stand.openOrder())
    const request = { cancelRequestId: '77', cancelInitiator: 'BUYER', cancelRequestState: 'REQUESTED' }
    Object.assign(order ?? {}, { cancelStatus: { cancelState: 'IN_PROGRESS', cancelRequests: [request] } })
    const { shop, asked } = openStand<Settings, Credentials>(ebay, stand)
    const sent = orders.cancel?.send(shop, { remoteId: order?.orderId ?? '', reason: null }, { id: 'x' })
    expect(await sent).toMatchObject({ status: 'cancelled' })
    const told = asked.filter(({ request: { method } }) => method === 'POST')
    expect(told.map(({ url }) => url)).toEqual(['https://api.ebay.com/post-order/v2/cancellation/77/approve'])
  })

  test('that are refused say why in eBay’s words', async () => {
    const body = { errors: [{ errorId: 30700, message: 'Invalid.', longMessage: 'Invalid filter.' }] }
    await expect(orders.list(scripted({ status: 400, body }).shop, query)).rejects.toMatchObject({
      message: 'Invalid filter.',
    })
    expect(await orders.get(scripted({ status: 400, body: { errors: [{ errorId: 32100 }] } }).shop, '1-2')).toBeNull()
  })
})

test('parcels are told in letters and digits, once, and of no more than is left', async () => {
  const stand = makeStand()
  const { shop, asked } = openStand<Settings, Credentials>(ebay, stand)
  const draft = { order_remote_id: stand.openOrder(), tracking_number: '1Z 99-9', carrier: 'UPS' }
  const times = { shipped_at: '2026-10-03T13:30:00+02:00' }
  const parcel = await shipments.create.send(shop, { ...draft, ...times }, { id: 'x' })
  expect(parcel).toMatchObject({ tracking_number: '1Z999', shipped_at: '2026-10-03T11:30:00.000000Z' })
  expect(await shipments.create.send(shop, draft, { id: 'x' })).toEqual(parcel)
  const posts = asked.filter(({ request }) => request.method === 'POST')
  expect(posts.map(({ request }) => request.body)).toEqual([
    {
      lineItems: [{ lineItemId: '1001', quantity: 2 }],
      shippedDate: '2026-10-03T11:30:00.000Z',
      shippingCarrierCode: 'UPS',
      trackingNumber: '1Z999',
    },
  ])
  await expect(shipments.create.send(shop, { ...draft, tracking_number: 'other' }, { id: 'y' })).rejects.toMatchObject({
    message: 'Nothing of the order is left to be sent.',
  })
  const lines = [{ order_line_remote_id: '1002', quantity: 9 }]
  const next = { ...draft, order_remote_id: stand.openOrder(), tracking_number: 'more', lines }
  await expect(shipments.create.send(shop, next, { id: 'z' })).rejects.toMatchObject({ kind: 'upstream_refused' })
})

describe('articles', () => {
  test('have prices where they are offered', async () => {
    const { shop } = openStand<Settings, Credentials>(ebay, makeStand())
    const read = async (sku: string) => products.translate(await products.get?.(shop, sku), facts)
    expect(await read('SKU-1')).toMatchObject({
      status: 'active',
      brand: 'Dockside',
      url: 'https://www.ebay.com/itm/111',
      variants: [{ barcode: '4006381333931', price: { amount: '11.50', currency: 'USD' }, quantity: 1 }],
    })
    expect(await read('SKU-4')).toMatchObject({ status: 'draft', remote_status: 'UNPUBLISHED' })
    expect(await read('SKU-5')).toMatchObject({
      status: 'draft',
      variants: [{ price: null, weight: { value: '1.5', unit: 'lb' } }],
    })
  })

  test('lie where they lie: other places and offers follow', async () => {
    const stand = makeStand()
    const { shop } = openStand<Settings, Credentials>(ebay, stand)
    const set = async (sku: string, quantity: number, location: string | null) =>
      await inventory.set?.send(shop, [{ sku, quantity, location }], { id: 'x' })
    await set('SKU-4', 10, 'dock-2')
    expect(stand.books.items.get('SKU-4')).toMatchObject({ quantity: 14, places: { 'dock-1': 4, 'dock-2': 10 } })
    expect(stand.books.items.get('SKU-4')?.offers).toMatchObject([{ availableQuantity: 14 }])
    expect(await set('SKU-4', 10, null)).toMatchObject([
      { ok: false, error: expect.stringContaining('several places') },
    ])
    await set('SKU-1', 3, null)
    // It sells what there is: no number of its own is put upon it.
    expect(stand.books.items.get('SKU-1')).toMatchObject({ quantity: 3, offers: [{ availableQuantity: null }] })
  })
})
