import { describe, expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import { type Fields, fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { standingOf } from '../../commerce/refund.ts'
import type { ShopOrder, Stage } from '../../simulator/shop/order.ts'
import type { ProductInput } from '../../simulator/shop/stockroom.ts'
import { ebay } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { shipments } from './parcels/shipments.ts'
import { refunds } from './refunds/create-refund.ts'
import type { Credentials, Settings } from './settings.ts'
import { toOrder } from './translate-order.ts'

function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(ebay, options)
  const { book, stockroom } = imitation.simulator.world.shop
  /** An order that has come so far, and that its buyer does not want cancelled. */
  const idOf = (stage: Stage) => {
    const isMeant = (order: ShopOrder | null) => order?.stage === stage && order.customStatus === null
    return imitation.simulator.truth().find((_, index) => isMeant(book.get(index)))?.remote_id ?? ''
  }
  const posted = (path: string) =>
    imitation.asked
      .filter(({ url, request }) => request.method === 'POST' && url.includes(path))
      .map(({ request }) => request)
  const read = async (id: string) => toOrder(await orders.get(imitation.shop, id))
  return { ...imitation, stockroom, idOf, posted, read }
}

describe('a new level', () => {
  const lamp: ProductInput = {
    ...{ title: 'Lamp', html: '', status: 'active', vendor: 'Dockside', images: [] },
    variants: [{ sku: 'LAMP', title: 'Default Title', price: 1150, stock: 1, barcode: '4006381333931' }],
  }
  const requestsOf = (sent: readonly { body?: unknown }[]) =>
    sent.flatMap(({ body }) => recordsIn(fieldsOf(body), 'requests'))

  test('leaves each place its time to deliver', async () => {
    const { shop, stockroom, posted } = open()
    stockroom.add(lamp)
    await inventory.set?.send(shop, [{ sku: 'LAMP', quantity: 7, location: 'HARBOUR-2' }], { id: 'x' })
    const [request = {}] = requestsOf(posted('bulk_update_price_quantity'))
    const parts = recordsIn(fieldsIn(request, 'shipToLocationAvailability'), 'availabilityDistributions')
    expect(parts).toMatchObject([
      { merchantLocationKey: 'HARBOUR-1', quantity: 1, fulfillmentTime: { value: 1, unit: 'BUSINESS_DAY' } },
      { merchantLocationKey: 'HARBOUR-2', quantity: 7, fulfillmentTime: { value: 2, unit: 'BUSINESS_DAY' } },
      { merchantLocationKey: 'HARBOUR-3', quantity: 0, fulfillmentTime: { value: 3, unit: 'BUSINESS_DAY' } },
    ])
  })

  test('goes to published offers alone, and to no more than 25 at once', async () => {
    const offer = (n: number, status: string): Fields => ({ offerId: `${n}`, status, availableQuantity: 3 })
    const offers = [
      offer(900, 'UNPUBLISHED'),
      ...Array.from({ length: 60 }, (_, n) => offer(n, 'PUBLISHED')),
      offer(901, 'UNPUBLISHED'),
    ]
    const answered = { status: 200, headers: {} }
    const { shop, stockroom, posted } = open({
      variant: { locations: 'none' },
      before: ({ url, request }) =>
        url.endsWith('/offer')
          ? { ...answered, body: { offers } }
          : request.method === 'POST'
            ? { ...answered, body: { responses: [{ sku: 'LAMP', statusCode: 200 }] } }
            : null,
    })
    stockroom.add(lamp)
    const set = await inventory.set?.send(shop, [{ sku: 'LAMP', quantity: 7 }], { id: 'x' })
    expect(set).toMatchObject([{ ok: true }])
    const sent = requestsOf(posted('bulk_update_price_quantity')).map((request) => recordsIn(request, 'offers'))
    expect(sent.map((some) => some.length)).toEqual([25, 25, 10])
    expect(sent.flat().map(({ offerId }) => offerId)).toEqual(Array.from({ length: 60 }, (_, n) => String(n)))
  })
})

describe('the older interface', () => {
  test('is told where the order was bought, and its old id', async () => {
    const { shop, idOf, posted, read } = open()
    const remoteId = idOf('paid')
    const { raw } = await read(remoteId)
    await orders.cancel?.send(shop, { remoteId, reason: null }, { id: 'x' })
    const sent = posted('/post-order/')
    expect(sent.map(({ headers }) => headers?.['x-ebay-c-marketplace-id'])).toEqual(['EBAY_DE', 'EBAY_DE'])
    expect(new Set(sent.map(({ budget }) => budget))).toEqual(new Set(['cancellations']))
    const old = fieldsOf(raw)['legacyOrderId']
    expect(old).not.toBe(remoteId)
    expect(sent.map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body))).toMatchObject([
      { legacyOrderId: old },
      { legacyOrderId: old },
    ])
  })
})

test('every question names the language of its answer', async () => {
  const { shop, idOf, asked } = open()
  await orders.get(shop, idOf('paid'))
  expect(asked.map(({ request }) => request.headers?.['accept-language'])).toEqual(['en-US'])
})

test('a parcel goes out with eBay’s name for its carrier', async () => {
  const { shop, idOf, posted } = open()
  const send = (tracking: string, carrier: string, id: string) =>
    shipments.create.send(shop, { order_remote_id: id, tracking_number: tracking, carrier }, { id: tracking })
  await send('T1', 'royal mail', idOf('paid'))
  await send('T2', 'Our own van', idOf('paid'))
  expect(posted('shipping_fulfillment').map(({ body }) => fieldsOf(body)['shippingCarrierCode'])).toEqual([
    'RoyalMail',
    'Other',
  ])
})

test('money that went back for a line is read off the line, where eBay tells it and nowhere else', async () => {
  const { shop, idOf, read } = open()
  const id = idOf('sent')
  const before = await read(id)
  const [line] = before.lines
  const refund = {
    ...{ order_remote_id: id, amount: '1.00', currency: before.currency, reason: null, restock: false },
    lines: [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1, amount: '1.00' }],
  }
  await refunds.create.send(shop, { ...refund, before: standingOf(before) }, { id: 'x' })
  const after = await read(id)
  expect(fieldsIn(fieldsOf(after.raw), 'paymentSummary')['refunds']).toEqual([])
  expect(after).toMatchObject({
    refunded_total: { amount: '1.00' },
    refunds: [
      { amount: { amount: '1.00' }, lines: [{ order_line_remote_id: line?.remote_id, amount: { amount: '1.00' } }] },
    ],
  })
})
