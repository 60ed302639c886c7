import { describe, expect, test } from 'vitest'
import { open } from '../../../test/support/bigcommerce-shop.ts'
import { fieldsOf } from '../../commerce/reading.ts'
import { orders } from './orders.ts'
import { carrierOf } from './parcels/carriers.ts'
import { shipments } from './shipments.ts'

test.each([
  ['UPS', { shipping_provider: 'ups', tracking_carrier: '' }],
  ['Australia Post', { shipping_provider: 'auspost', tracking_carrier: '' }],
  ['Royal Mail', { shipping_provider: 'royalmail', tracking_carrier: '' }],
  ['DHL', { shipping_provider: '', tracking_carrier: 'dhl' }],
  ['DHL Paket', { shipping_provider: '', tracking_carrier: 'dhl-germany' }],
  ['dpd-uk', { shipping_provider: '', tracking_carrier: 'dpd-uk' }],
  ['GLS', { shipping_provider: '', tracking_carrier: 'gls' }],
  ['Evri', { shipping_provider: '', tracking_carrier: 'myhermes-uk' }],
  ['Fast Bikes', { shipping_provider: '', tracking_carrier: '', shipping_method: 'Fast Bikes' }],
])('a parcel of %s says so in the words of the platform', (carrier, said) => {
  expect(carrierOf(carrier)).toEqual(said)
})

describe('parcels', () => {
  const draft = { tracking_number: 'T-1', carrier: 'UPS' }

  test('go in parts, never more than is left, and the same one once', async () => {
    const { simulator, asked, shop } = open()
    const { book } = simulator.world.shop
    const index = book.byNumber().find((one) => {
      const order = book.get(one)
      return order?.stage === 'paid' && (order.lines[0]?.quantity ?? 0) > 1
    })
    const id = String(100 + (index ?? 0))
    const line = { id: orders.translate(await orders.get(shop, id), shop).lines[0]?.remote_id }
    const lines = [{ order_line_remote_id: String(line.id), quantity: 1 }]
    const parcel = await shipments.create.send(shop, { ...draft, order_remote_id: id, lines }, { id: 'a' })
    expect(parcel).toMatchObject({ lines, carrier_code: 'ups' })
    expect(await shipments.create.send(shop, { ...draft, order_remote_id: id, lines }, { id: 'a' })).toEqual(parcel)
    expect(asked.filter(({ request }) => request.method === 'POST')).toHaveLength(1)
    const more = [{ order_line_remote_id: String(line.id), quantity: 9 }]
    await expect(
      shipments.create.send(shop, { ...draft, tracking_number: 'T-2', order_remote_id: id, lines: more }, { id: 'b' }),
    ).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('for several addresses are several; unknown carriers are sent as the way of sending', async () => {
    const { simulator, asked, shop } = open({ orders: 400 })
    const { book } = simulator.world.shop
    const index = book.byNumber().find((one) => {
      const { stage, lines = [], shipTo, billTo } = book.get(one) ?? {}
      return stage === 'paid' && lines.length > 1 && shipTo?.street !== billTo?.street
    })
    const order = { id: 100 + (index ?? 0) }
    const parcel = await shipments.create.send(
      shop,
      { ...draft, carrier: 'Fast Bikes', order_remote_id: String(order.id) },
      { id: 'a' },
    )
    expect(parcel).toMatchObject({ carrier_name: 'Fast Bikes', tracking_number: 'T-1' })
    const bodies = asked.flatMap(({ request }) => (request.method === 'POST' ? [fieldsOf(request.body)] : []))
    expect(new Set(bodies.map((body) => body['order_address_id'])).size).toBe(2)
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toMatchObject({ shipping_provider: '', shipping_method: 'Fast Bikes' })
  })
})
