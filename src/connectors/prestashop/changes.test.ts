import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/open-stand.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { prestashop } from './index.ts'
import { makeStand } from './stand.ts'

describe('parcels', () => {
  const draft = { tracking_number: 'N-1', carrier: 'La Poste' }

  test('keep everything that the platform would empty, and lead to their page', async () => {
    const stand = makeStand()
    const { shop } = openStand(prestashop, stand)
    const id = stand.openOrder()
    const parcel = await prestashop.shipments?.create.send(shop, { ...draft, order_remote_id: id }, { id: 'p' })
    expect(parcel).toMatchObject({ tracking_number: 'N-1', tracking_url: 'https://post.example/suivi?n=N-1' })
    const order = fieldsOf(await prestashop.orders?.get(shop, id))
    expect(recordsIn(order, 'parcels')[0]).toMatchObject({
      id_order: id,
      id_carrier: '3',
      shipping_cost_tax_incl: '7.000000',
    })
    const again = await prestashop.shipments?.create.send(shop, { ...draft, order_remote_id: id }, { id: 'p' })
    expect(again).toEqual(parcel)
    expect(stand.doubles()).toEqual([])
  })

  test('of a part, and second ones, are refused', async () => {
    const stand = makeStand()
    const { shop } = openStand(prestashop, stand)
    const id = stand.openOrder()
    const send = (change: object) =>
      prestashop.shipments?.create.send(shop, { ...draft, order_remote_id: id, ...change }, { id: 'p' })
    await expect(send({ lines: [{ order_line_remote_id: `${id}01`, quantity: 1 }] })).rejects.toThrow(/as a whole/)
    await send({})
    await expect(send({ tracking_number: 'N-2' })).rejects.toThrow(/already, with the number N-1/)
  })
})

describe('stock', () => {
  test('is told with the whole record, once', async () => {
    const { shop, asked } = openStand(prestashop, makeStand())
    const items = [
      { sku: 'CH-1', quantity: 9 },
      { sku: 'CH-4-1', quantity: 8 },
      { sku: 'ch-2', quantity: 7 },
      { sku: 'a|b', quantity: 6 },
    ]
    const results = await prestashop.inventory?.set?.send(shop, items, { id: 's' })
    expect(results?.map(({ ok }) => ok)).toEqual([true, true, false, false])
    const bodies = asked.filter(({ method }) => method === 'PUT').map(({ body }) => String(body))
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toContain('<out_of_stock>2</out_of_stock>')
    asked.length = 0
    await prestashop.inventory?.set?.send(shop, items, { id: 's' })
    expect(asked.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('that the shop refuses is told with its reason', async () => {
    const body = { errors: [{ code: 85, message: 'Stock is managed elsewhere.' }] }
    const { shop } = openStand(prestashop, makeStand(), ({ method }) =>
      method === 'PUT' ? { status: 400, headers: {}, body } : null,
    )
    const results = await prestashop.inventory?.set?.send(shop, [{ sku: 'CH-1', quantity: 9 }], { id: 's' })
    expect(results).toEqual([{ sku: 'CH-1', location: null, ok: false, error: 'Stock is managed elsewhere.' }])
  })
})
