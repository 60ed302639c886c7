import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { squarespace } from './index.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'

const facts = { shop: 'ada-cups.squarespace.com', settings: {} }
const credentials = { access_token: 'token', refresh_token: 'again' }
const money = { currency: 'EUR', value: '1' }
const order = {
  ...{ id: '65a1f0c2b7d4000000000001', orderNumber: '1', fulfillmentStatus: 'PENDING', paymentState: 'PAID' },
  ...{ createdOn: '2026-10-01T08:00:00Z', modifiedOn: '2026-10-02T09:00:00.187Z', grandTotal: money, fulfillments: [] },
  lineItems: [{ id: 'l1', quantity: 2, unitPricePaid: money, lineItemType: 'PHYSICAL_PRODUCT', productName: 'Cup' }],
}
const parcel = (trackingNumber: string) => ({ carrierName: 'DHL', service: 'DHL', trackingNumber })
const sent = (...numbers: string[]) => ({
  body: { ...order, fulfillmentStatus: 'FULFILLED', fulfillments: numbers.map(parcel) },
})
const draft = { order_remote_id: order.id, tracking_number: 'T-2', carrier: 'DHL' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(squarespace, { facts, credentials }, answers)
const create = (...answers: Partial<RemoteAnswer>[]) => {
  const { shop, asked } = scripted(...answers)
  return { asked, done: shipments.create.send(shop, draft, { id: 'x' }) }
}
const bodies = (asked: ReturnType<typeof create>['asked']) =>
  asked.flatMap(({ request }) => (request.method === 'POST' ? [request.body] : []))

describe('a parcel', () => {
  test('is known by its number among several', async () => {
    const { asked, done } = create(sent('T-1', 'T-2'))
    expect(await done).toMatchObject({ tracking_number: 'T-2' })
    expect(bodies(asked)).toEqual([])
  })

  test('is another one beside those that are there', async () => {
    const { asked, done } = create(sent('T-1'), { status: 204, body: '' }, sent('T-1', 'T-2'))
    expect(await done).toMatchObject({ tracking_number: 'T-2' })
    expect(bodies(asked)).toHaveLength(1)
  })

  test('that is not there afterwards was not stored, whatever was answered', async () => {
    const { done } = create({ body: order }, { status: 204, body: '' }, sent('T-1'))
    await expect(done).rejects.toMatchObject({ message: 'Squarespace did not store the shipment.' })
  })

  test('left when the shop says what time it is, and else when the order last changed', async () => {
    const date = 'Sun, 15 Nov 2026 06:00:00 GMT'
    const after = [{ status: 204, body: '' }, sent('T-2')]
    for (const [headers, shipDate] of [
      [{ date }, '2026-11-15T06:00:00.000Z'],
      [{}, '2026-10-02T09:00:00.187Z'],
    ] as const) {
      const { asked, done } = create({ body: order, headers }, ...after)
      await done
      // Nobody is written to unless that was said.
      expect(bodies(asked)).toEqual([{ shouldSendNotification: false, shipments: [{ ...parcel('T-2'), shipDate }] }])
    }
  })

  test('has a carrier of a hundred letters at most', async () => {
    const { shop, asked } = scripted({ body: order }, { status: 204, body: '' }, sent('T-2'))
    await shipments.create.send(shop, { ...draft, carrier: 'c'.repeat(150) }, { id: 'x' })
    expect(bodies(asked)).toMatchObject([{ shipments: [{ carrierName: 'c'.repeat(100), service: 'c'.repeat(100) }] }])
  })

  test('that somebody else is changing right now is tried later', async () => {
    const busy = { status: 409, body: { type: 'CONFLICT', subtype: 'CONCURRENT_MODIFICATION', message: 'Busy.' } }
    await expect(create({ body: order }, busy).done).rejects.toMatchObject({ kind: 'upstream_retryable' })
    const no = { status: 400, body: { type: 'INVALID_REQUEST_ERROR', message: 'trackingUrl is invalid.' } }
    await expect(create({ body: order }, no).done).rejects.toMatchObject({ message: 'trackingUrl is invalid.' })
  })

  test('is of the whole order', () => {
    expect([shipments.partial, shipments.create.repeatable]).toEqual([false, false])
  })
})
