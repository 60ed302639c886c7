import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { Stage } from '../../simulator/shop/order.ts'
import { ebay } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { shipments } from './parcels/shipments.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { toOrder } from './translate-order.ts'

const facts = { shop: 'ada-antiques.ebay.com', settings: {} }
const credentials = { access_token: 'token', refresh_token: 'again' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(ebay, { facts, credentials }, answers)
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(ebay, options)
  const { book, stockroom } = imitation.simulator.world.shop
  /** An order of lamps at 12.50, sent for 5.00, that has come so far; the id of it. */
  const sell = (stage: Stage, quantity = 1, discount = 0): string => {
    const base = book.get(0)
    if (!base) throw new Error('The shop has no order.')
    const lamp = { product: null, position: 0, sku: 'LAMP', title: 'Lamp', variantTitle: 'Default Title' }
    const lines = [{ ...lamp, quantity, unitPrice: 1250, discount }]
    book.add({ ...base, taxIncluded: true, shipping: 500, lines }, stage)
    return imitation.simulator.truth().at(-1)?.remote_id ?? ''
  }
  const read = async (id: string) => toOrder(await orders.get(imitation.shop, id))
  /** A product with one article. */
  const put = (sku: string, status: 'active' | 'draft' | 'archived' = 'active') =>
    stockroom.add({
      ...{ title: `Thing ${sku}`, html: '', status, vendor: 'Dockside', images: [] },
      variants: [{ sku, title: 'Default Title', price: 1150, stock: 1, barcode: '4006381333931' }],
    })
  return { ...imitation, book, sell, read, put }
}

describe('orders', () => {
  test('of the official shape are understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const sample = recordsIn(fieldsOf(readSample('ebay/samples/synthetic.getOrders.response.json')), 'orders')
    expect(sample.flatMap((raw) => whatDoesNotAddUp(toOrder(raw)))).toEqual([])
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

  test.each([
    ['unpaid', 'pending', 'pending', 'unfulfilled', 'PENDING'],
    ['paid', 'open', 'paid', 'unfulfilled', 'NOT_STARTED'],
    ['cancelled', 'cancelled', 'refunded', 'unfulfilled', 'CANCELED'],
    ['sent', 'completed', 'paid', 'fulfilled', 'FULFILLED'],
    ['part_sent', 'open', 'paid', 'partial', 'IN_PROGRESS'],
    ['part_refunded', 'completed', 'partially_refunded', 'fulfilled', 'FULFILLED'],
  ] as const)('that are %s are %s, %s and %s', async (stage, status, paid, sent, word) => {
    const { sell, read } = open()
    expect(await read(sell(stage, 2))).toMatchObject({
      status,
      payment_status: paid,
      fulfillment_status: sent,
      remote_status: word,
    })
  })

  test('of which money went back before anything was sent are open', async () => {
    const { sell, read } = open()
    const { raw } = await read(sell('paid'))
    expect(toOrder({ ...fieldsOf(raw), orderPaymentStatus: 'PARTIALLY_REFUNDED' })).toMatchObject({
      status: 'open',
      payment_status: 'partially_refunded',
      fulfillment_status: 'unfulfilled',
      remote_status: 'NOT_STARTED',
    })
  })

  test('have parcels without numbers distinguished, which all have one id at eBay', async () => {
    const { sell, read } = open()
    const { raw } = await read(sell('sent'))
    const parcel = (line: string) => ({ fulfillmentId: '999', lineItems: [{ lineItemId: line, quantity: 1 }] })
    const { shipments: parcels } = toOrder({ ...fieldsOf(raw), fulfillments: [parcel('a'), parcel('b')] })
    expect(parcels.map(({ remote_id: id, tracking_number: number }) => [id, number])).toEqual([
      ['999', null],
      ['999-2', null],
    ])
  })

  test('report discounts without sign, refunds, parcels and why they were cancelled', async () => {
    // Every third order goes in two parcels, and every second one has a piece paid back.
    const { sell, read } = open({ orders: 61 })
    // 12.50 + 5.00 for sending - 2.50.
    expect(await read(sell('paid', 1, 250))).toMatchObject({
      subtotal: { amount: '12.50' },
      discount_total: { amount: '2.50' },
      total: { amount: '15.00' },
      lines: [{ discount: { amount: '2.50' }, total: { amount: '10.00' } }],
    })
    expect(await read(sell('part_refunded', 2))).toMatchObject({
      refunded_total: { amount: '12.50' },
      lines: [{ quantity: 2 }],
    })
    expect(await read(sell('part_sent', 2))).toMatchObject({ lines: [{ quantity: 2, quantity_fulfilled: 1 }] })
    expect(await read(sell('sent', 3))).toMatchObject({
      lines: [{ quantity: 3, quantity_fulfilled: 3 }],
      shipments: [{ tracking_number: 'TR000000651', carrier_code: 'UPS', lines: [{ quantity: 3 }] }],
    })
    expect(await read(sell('cancelled', 2))).toMatchObject({
      cancel_reason: 'BUYER_CANCEL_ORDER',
      lines: [{ quantity_cancelled: 2 }],
    })
  })

  test('of words that nobody knows are held', async () => {
    const { sell, read } = open()
    const { raw } = await read(sell('paid'))
    for (const name of ['orderPaymentStatus', 'orderFulfillmentStatus']) {
      const held = { status: 'on_hold', hold_reason: 'unknown status: NEW_WORD' }
      expect(toOrder({ ...fieldsOf(raw), [name]: 'NEW_WORD' })).toMatchObject(held)
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
    const { shop, simulator } = open()
    const ids = await readAll(shop, limit, () => {})
    expect([...ids].sort()).toEqual(
      simulator
        .truth()
        .map(({ remote_id: id }) => id)
        .sort(),
    )
  })

  test('are all read while they change', async () => {
    const { shop, book } = open()
    const all = [...book.byChange()]
    const ids = await readAll(shop, 6, (page) => {
      const index = all[page]
      if (index !== undefined) book.change(index, { editNote: true })
    })
    expect(new Set(ids).size).toBe(all.length)
  })

  test('begin anew where a cursor is none of ours', async () => {
    const { shop } = open()
    const since = { ...query, updatedSince: '2025-06-01T00:00:00.000000Z' }
    const begin = await orders.list(shop, since)
    for (const cursor of ['', 'nonsense', '1|2|-3', '1|2']) {
      expect(await orders.list(shop, { ...since, cursor })).toEqual(begin)
    }
  })

  test('are never asked for from more than two years ago', async () => {
    const { shop, asked, book, simulator } = open()
    const page = await orders.list(shop, { ...query, limit: 100 })
    expect(page.items).toHaveLength(book.count())
    const [filter, ...more] = asked.flatMap(({ request }) => request.query?.['filter'] ?? [])
    const [, from = ''] = /^lastmodifieddate:\[(.+Z)\.\.\]$/.exec(String(filter)) ?? []
    const days = (simulator.world.clock.now() / 1000 - Date.parse(from)) / 86_400_000
    expect([Math.floor(days), more]).toEqual([729, []])
  })

  test('are cancelled where eBay lets them be, with a token of another name', async () => {
    const { shop, asked, sell, credentials: kept } = open()
    const cancel = (remoteId: string) => orders.cancel?.send(shop, { remoteId, reason: 'address issues' }, { id: 'x' })
    expect(await cancel(sell('paid'))).toMatchObject({ status: 'cancelled', cancel_reason: 'ADDRESS_ISSUES' })
    const requests = asked.filter(({ url }) => url.includes('/post-order/'))
    const name = `IAF ${kept['access_token']}`
    expect(requests.map(({ request }) => request.headers?.['authorization'])).toEqual([name, name])
    await expect(cancel(sell('sent'))).rejects.toMatchObject({
      message: 'eBay does not allow cancelling this order: ORDER_ALREADY_SHIPPED.',
    })
  })

  test('that the buyer wants cancelled are agreed to', async () => {
    const { shop, asked, simulator, read } = open({ orders: 200 })
    const { remote_id: remoteId = '' } = simulator.truth().find((one) => one.custom_status !== null) ?? {}
    const { raw } = await read(remoteId)
    const [wish] = recordsIn(fieldsIn(fieldsOf(raw), 'cancelStatus'), 'cancelRequests')
    expect(wish).toMatchObject({ cancelInitiator: 'BUYER', cancelRequestState: 'REQUESTED' })
    const sent = orders.cancel?.send(shop, { remoteId, reason: null }, { id: 'x' })
    expect(await sent).toMatchObject({ status: 'cancelled' })
    const requests = asked.filter(({ request: { method } }) => method === 'POST')
    const path = `/post-order/v2/cancellation/${wish?.['cancelRequestId']}/approve`
    expect(requests.map(({ url }) => url)).toEqual([`https://api.ebay.com${path}`])
  })

  test('that are refused say why in eBay’s words', async () => {
    const body = { errors: [{ errorId: 30700, message: 'Invalid.', longMessage: 'Invalid filter.' }] }
    await expect(orders.list(scripted({ status: 400, body }).shop, query)).rejects.toMatchObject({
      message: 'Invalid filter.',
    })
    expect(await orders.get(scripted({ status: 400, body: { errors: [{ errorId: 32100 }] } }).shop, '1-2')).toBeNull()
  })
})

test('parcels are sent in letters and digits, once, and of no more than is left', async () => {
  const { shop, asked, sell, read } = open()
  const draft = { order_remote_id: sell('paid', 2), tracking_number: '1Z 99-9', carrier: 'UPS' }
  const [line] = (await read(draft.order_remote_id)).lines
  const times = { shipped_at: '2026-10-03T13:30:00+02:00' }
  const parcel = await shipments.create.send(shop, { ...draft, ...times }, { id: 'x' })
  expect(parcel).toMatchObject({ tracking_number: '1Z999', shipped_at: '2026-10-03T11:30:00.000000Z' })
  expect(await shipments.create.send(shop, draft, { id: 'x' })).toEqual(parcel)
  const posts = asked.filter(({ request }) => request.method === 'POST')
  expect(posts.map(({ request }) => request.body)).toEqual([
    {
      lineItems: [{ lineItemId: line?.remote_id, quantity: 2 }],
      shippedDate: '2026-10-03T11:30:00.000Z',
      shippingCarrierCode: 'UPS',
      trackingNumber: '1Z999',
    },
  ])
  await expect(shipments.create.send(shop, { ...draft, tracking_number: 'other' }, { id: 'y' })).rejects.toMatchObject({
    message: 'Nothing in the order is left to ship.',
  })
  const next = { ...draft, order_remote_id: sell('paid', 2), tracking_number: 'more' }
  const [other] = (await read(next.order_remote_id)).lines
  const lines = [{ order_line_remote_id: other?.remote_id ?? '', quantity: 9 }]
  await expect(shipments.create.send(shop, { ...next, lines }, { id: 'z' })).rejects.toMatchObject({
    kind: 'upstream_refused',
  })
})

describe('articles', () => {
  test('have prices where they are offered', async () => {
    const { shop, put } = open()
    put('LAMP')
    put('DRAFT', 'draft')
    put('SHELF', 'archived')
    const raw = async (sku: string) => fieldsOf(await products.get?.(shop, sku))
    expect(products.translate(await raw('LAMP'), facts)).toMatchObject({
      status: 'active',
      brand: 'Dockside',
      url: 'https://www.ebay.com/itm/110000000030',
      variants: [{ barcode: '4006381333931', price: { amount: '11.50', currency: 'EUR' }, quantity: 1 }],
    })
    expect(products.translate(await raw('DRAFT'), facts)).toMatchObject({
      status: 'draft',
      remote_status: 'UNPUBLISHED',
    })
    const heavy = { packageWeightAndSize: { weight: { value: 1.5, unit: 'POUND' } } }
    expect(products.translate({ ...(await raw('SHELF')), ...heavy }, facts)).toMatchObject({
      status: 'draft',
      variants: [{ price: null, weight: { value: '1.5', unit: 'lb' } }],
    })
  })

  /** The offers that were sent a number of their own, with the last stock that was set. */
  const offersIn = (asked: ReturnType<typeof open>['asked']) => {
    const body = fieldsOf(asked.filter(({ request }) => request.method === 'POST').at(-1)?.request.body)
    return recordsIn(fieldsOf(recordsIn(body, 'requests')[0]), 'offers')
  }

  test('lie where they lie: other places and offers follow, but no drafts', async () => {
    const { shop, asked, simulator, put } = open()
    const set = async (sku: string, quantity: number, location: string | null) =>
      await inventory.set?.send(shop, [{ sku, quantity, location }], { id: 'x' })
    put('LAMP')
    await set('LAMP', 10, 'HARBOUR-2')
    const levels = simulator.truthOfInventory().filter(({ sku }) => sku === 'LAMP')
    expect(levels.map(({ available }) => available)).toEqual([1, 10, 0])
    expect(offersIn(asked)).toMatchObject([{ availableQuantity: 11 }])
    expect(await set('LAMP', 10, null)).toMatchObject([
      { ok: false, error: expect.stringContaining('several locations') },
    ])
    // Every second product has an offer with a number of its own.
    put('BETWEEN')
    put('DRAFT', 'draft')
    expect(await set('DRAFT', 10, 'HARBOUR-2')).toMatchObject([{ ok: true }])
    expect(offersIn(asked)).toEqual([])
  })

  test('of a seller without places are a number, and sell what there is', async () => {
    const { shop, asked, simulator, put } = open({ variant: { locations: 'none' } })
    put('EVEN')
    put('ODD')
    for (const [sku, own] of [
      ['EVEN', [{ availableQuantity: 3 }]],
      // No number of its own is put upon its offer.
      ['ODD', []],
    ] as const) {
      expect(await inventory.set?.send(shop, [{ sku, quantity: 3 }], { id: 'x' })).toMatchObject([{ ok: true }])
      expect(simulator.truthOfInventory().find((one) => one.sku === sku)?.available).toBe(3)
      expect(offersIn(asked)).toMatchObject(own)
    }
  })
})
