import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import { prestashop } from './index.ts'

describe('parcels', () => {
  const draft = { tracking_number: 'N-1', carrier: 'dhl' }

  test('keep everything that the platform would empty, and lead to their page', async () => {
    const { shop, simulator } = openImitation(prestashop)
    const id = openOrder(simulator)
    const before = recordsIn(fieldsOf(await prestashop.orders?.get(shop, id)), 'parcels')[0]
    const parcel = await prestashop.shipments?.create.send(shop, { ...draft, order_remote_id: id }, { id: 'p' })
    expect(parcel).toMatchObject({ tracking_number: 'N-1', tracking_url: expect.stringMatching(/^https:.*\/N-1$/) })
    const order = fieldsOf(await prestashop.orders?.get(shop, id))
    expect(recordsIn(order, 'parcels')[0]).toMatchObject({
      ...before,
      ...{ tracking_number: 'N-1', id_carrier: '1', carrier: { name: 'DHL' } },
      // When it left, which is not when it was ordered.
      sent_at: expect.stringMatching(/^20\d\d-/),
    })
    expect(Number(before?.['id_carrier'])).toBeGreaterThan(0)
    const again = await prestashop.shipments?.create.send(shop, { ...draft, order_remote_id: id }, { id: 'p' })
    expect(again).toEqual(parcel)
    expect(simulator.doubles()).toEqual([])
  })

  test('of a carrier that the shop does not know are refused, and nothing is written', async () => {
    const { shop, simulator } = openImitation(prestashop)
    const sent = { ...draft, carrier: 'La Poste', order_remote_id: openOrder(simulator) }
    const sending = prestashop.shipments?.create.send(shop, sent, { id: 'p' })
    await expect(sending).rejects.toThrow('no carrier called La Poste; it has DHL, UPS, PostNord.')
    expect(simulator.ledger().filter(({ kind }) => kind === 'effect')).toEqual([])
  })

  test('go to the carrier that stands for a name, or for all that are not known', async () => {
    const carriers = [
      { name: 'la poste', is: 'ups' },
      { name: '*', is: 'PostNord' },
    ]
    const { shop, simulator } = openImitation(prestashop, { settings: { carriers } })
    for (const [carrier, name] of [
      ['La Poste', 'UPS'],
      ['Hermes', 'PostNord'],
      ['DHL', 'PostNord'],
    ]) {
      const sent = { tracking_number: `N-${carrier}`, carrier: `${carrier}`, order_remote_id: openOrder(simulator) }
      expect(await prestashop.shipments?.create.send(shop, sent, { id: 'p' })).toMatchObject({ carrier_name: name })
    }
  })

  test('and cancellations are done in a shop whose mail is broken', async () => {
    const { shop, simulator } = openImitation(prestashop, { variant: { mail: 'broken' } })
    const sent = { ...draft, order_remote_id: openOrder(simulator) }
    expect(await prestashop.shipments?.create.send(shop, sent, { id: 'p' })).toMatchObject({ tracking_number: 'N-1' })
    const gone = { remoteId: openOrder(simulator), reason: null }
    expect(await prestashop.orders?.cancel?.send(shop, gone, { id: 'c' })).toMatchObject({ status: 'cancelled' })
    expect(simulator.doubles()).toEqual([])
  })

  test('of a part, and second ones, are refused', async () => {
    const { shop, simulator } = openImitation(prestashop)
    const id = openOrder(simulator, ({ lines }) => lines.length > 1)
    const send = (change: object) =>
      prestashop.shipments?.create.send(shop, { ...draft, order_remote_id: id, ...change }, { id: 'p' })
    await expect(send({ lines: [{ order_line_remote_id: `${id}01`, quantity: 1 }] })).rejects.toThrow(/as a whole/)
    await send({})
    await expect(send({ tracking_number: 'N-2' })).rejects.toThrow(/already, with the number N-1/)
  })
})

test.each([
  ['is in the note that only the people at the shop read, once, after what is there', {}, 'VIP\n\nSold out'],
  ['stays with us where the key may not write that', { lacks: 'orders.PATCH' }, ''],
  ['stays with us where the shop is too old to be told a single field', { age: '1.7' }, ''],
])('why an order is cancelled %s', async (_, variant, note) => {
  const { shop, simulator } = openImitation(prestashop, { variant })
  const remoteId = openOrder(simulator)
  const noteOf = async () => fieldsOf(await prestashop.orders?.get(shop, remoteId))['note']
  const vip: RemoteRequest = {
    method: 'PATCH',
    path: `/api/orders/${remoteId}`,
    query: { output_format: 'JSON' },
    body: `<prestashop><order><id>${remoteId}</id><note>VIP</note></order></prestashop>`,
    headers: { 'content-type': 'text/xml' },
  }
  if (note !== '') await shop.remote.request(vip)
  const cancel = () => prestashop.orders?.cancel?.send(shop, { remoteId, reason: 'Sold out' }, { id: 'c' })
  for (const _ of [1, 2]) expect(await cancel()).toMatchObject({ status: 'cancelled', total: expect.anything() })
  expect(await noteOf()).toBe(note)
  expect(simulator.doubles()).toEqual([])
})

describe('stock', () => {
  test('is sent with the whole record, once', async () => {
    const { shop, asked, simulator } = openImitation(prestashop)
    const products = simulator.truthOfProducts()
    const [one = ''] = products.find(({ skus }) => skus.length === 1)?.skus ?? []
    const [first = '', second = ''] = products.find(({ skus }) => skus.length > 1)?.skus ?? []
    const items = [
      { sku: one, quantity: 9 },
      { sku: second, quantity: 8 },
      { sku: first.toLowerCase(), quantity: 7 },
      { sku: 'a|b', quantity: 6 },
    ]
    const results = await prestashop.inventory?.set?.send(shop, items, { id: 's' })
    expect(results?.map(({ ok }) => ok)).toEqual([true, true, false, false])
    const bodies = asked.flatMap(({ request: { method, body } }) => (method === 'PUT' ? [String(body)] : []))
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toContain('<out_of_stock>2</out_of_stock>')
    asked.length = 0
    await prestashop.inventory?.set?.send(shop, items, { id: 's' })
    expect(asked.every(({ request }) => request.method === 'GET')).toBe(true)
  })

  test('that the shop refuses comes with its reason', async () => {
    const body = { errors: [{ code: 85, message: 'Stock is managed elsewhere.' }] }
    const { shop, simulator } = openImitation(prestashop, {
      before: ({ request }) => (request.method === 'PUT' ? { status: 400, headers: {}, body } : null),
    })
    const sku = simulator.truthOfInventory()[0]?.sku ?? ''
    const results = await prestashop.inventory?.set?.send(shop, [{ sku, quantity: 9 }], { id: 's' })
    expect(results).toEqual([{ sku, location: null, ok: false, error: 'Stock is managed elsewhere.' }])
  })
})
