import { describe, expect, test } from 'vitest'
import { orderLine, remoteOrder, remoteShipment } from '../../../test/support/remote-order.ts'
import { textsOf } from '../../lib/fault.ts'
import type { RemoteOrder } from '../order.ts'
import { contentErrors, whyNotCancel, whyNotShip } from './order-guards.ts'

type Answers = Partial<RemoteOrder>

describe('goods of an order', () => {
  test.each<[Answers, string | null]>([
    [{}, null],
    [{ fulfillment_status: 'fulfilled' }, null],
    [{ payment_status: 'pending' }, null],
    [{ status: 'cancelled' }, 'The order has been cancelled in the shop. Set force to do it anyway.'],
    [{ payment_status: 'refunded' }, 'The order has been refunded in the shop. Set force to do it anyway.'],
    [{ status: 'on_hold' }, 'The order is on hold in the shop. Set force to do it anyway.'],
    [
      { status: 'on_hold', hold_reason: 'Fraud check' },
      'The order is on hold in the shop (Fraud check). Set force to do it anyway.',
    ],
    [{ status: 'pending', payment_status: 'pending' }, 'The order has not been paid. Set force to do it anyway.'],
    [{ payment_status: 'failed' }, 'The payment of the order has failed. Set force to do it anyway.'],
    [{ payment_status: 'voided' }, 'The payment of the order has been voided. Set force to do it anyway.'],
    [{ cancel_requested: true }, 'The buyer has asked for the order to be cancelled. Set force to do it anyway.'],
    [{ cancel_requested: true, fulfillment_status: 'fulfilled' }, null],
  ])('that is %j may leave, or: %s', (answers, why) => {
    expect(whyNotShip(remoteOrder(answers))?.text ?? null).toBe(why)
  })
})

describe('an order', () => {
  test.each<[Answers, string | null]>([
    [{}, null],
    [{ status: 'on_hold' }, null],
    [{ status: 'cancelled' }, null],
    [{ status: 'cancelled', fulfillment_status: 'partial' }, null],
    [{ fulfillment_status: 'fulfilled' }, 'The order has already been shipped. Set force to do it anyway.'],
    [{ fulfillment_status: 'delivered' }, 'The order has already been shipped. Set force to do it anyway.'],
    [{ fulfillment_status: 'partial' }, 'Part of the order has already been shipped. Set force to do it anyway.'],
    [{ payment_status: 'refunded' }, 'The order has been refunded in the shop. Set force to do it anyway.'],
  ])('that is %j may be cancelled, or: %s', (answers, why) => {
    expect(whyNotCancel(remoteOrder(answers))?.text ?? null).toBe(why)
  })
})

test('what speaks against a change is a code, and so is what it says about it', () => {
  expect(whyNotShip(remoteOrder({ status: 'on_hold', hold_reason: 'Fraud check' }))).toMatchObject({
    code: 'forceable',
    parameters: { why: { code: 'on_hold_in_shop', parameters: { reason: 'Fraud check' } } },
  })
})

describe('the contents of a parcel', () => {
  const line = (id: string, quantity: number) => ({ order_line_remote_id: id, quantity })
  const lines = [orderLine({ remote_id: 'L1', quantity: 2 }), orderLine({ remote_id: 'L2', quantity: 1 })]
  const order = remoteOrder({ lines })
  const all = [line('L1', 2), line('L2', 1)]
  const sent = (more: Answers['shipments'] = []) => remoteOrder({ lines, shipments: more })
  const parcel = (wanted?: { order_line_remote_id: string; quantity: number }[] | null) => ({
    tracking_number: 'T9',
    lines: wanted ?? null,
  })
  const errors = (of: RemoteOrder, wanted: ReturnType<typeof parcel>, partial = true) =>
    textsOf(contentErrors(of, wanted, { field: 'lines', partial }))
  const nothingLeft = { lines: ['Nothing in the order is left to ship.'] }

  test('are everything that is left, where nobody says what', () => {
    expect(errors(order, parcel())).toEqual({})
    expect(errors(order, parcel([]))).toEqual({})
    expect(contentErrors(order, { tracking_number: 'T9' }, { field: 'lines', partial: false })).toEqual({})
  })

  test('are in the order', () => {
    expect(errors(order, parcel(all))).toEqual({})
    expect(errors(order, parcel([line('L1', 3), line('L9', 1)]))).toEqual({
      'lines.0.quantity': [expect.stringContaining('only 2')],
      'lines.1.order_line_remote_id': [expect.stringContaining('not in the order')],
    })
  })

  test('are all of it, where the platform knows no parts', () => {
    expect(errors(order, parcel([line('L1', 2)]))).toEqual({})
    expect(errors(order, parcel([line('L1', 2)]), false)).toEqual({
      lines: ['This platform ships orders as a whole: part of an order cannot be shipped.'],
    })
    expect(errors(order, parcel(all), false)).toEqual({})
    expect(errors(order, parcel([line('L9', 1)]), false)).toEqual({
      'lines.0.order_line_remote_id': [expect.stringContaining('not in the order')],
    })
  })

  test('have not gone already', () => {
    const some = sent([remoteShipment({ lines: [line('L1', 2)] })])
    expect(errors(some, parcel([line('L2', 1)]))).toEqual({})
    expect(errors(some, parcel())).toEqual({})
    expect(errors(some, parcel([line('L1', 1)]))).toEqual({ 'lines.0.quantity': [expect.stringContaining('none')] })
    const gone = sent([remoteShipment({ lines: all })])
    expect(errors(gone, parcel())).toEqual(nothingLeft)
    expect(errors(gone, parcel([line('L1', 1)]))).toEqual(nothingLeft)
  })

  test('may be sent anew where their parcel was called off', () => {
    expect(errors(sent([remoteShipment({ lines: all, status: 'cancelled' })]), parcel(all))).toEqual({})
    // Also under the same number, which is looked at as if it were new.
    const again = { tracking_number: 'T1', lines: [line('L9', 1)] }
    const off = sent([remoteShipment({ lines: all, status: 'failed' })])
    expect(Object.keys(errors(off, again))).toEqual(['lines.0.order_line_remote_id'])
  })

  test('are nobody’s business where the shop has the parcel', () => {
    const gone = sent([remoteShipment({ lines: all }), remoteShipment({ tracking_number: 'T2' })])
    expect(errors(gone, { tracking_number: 'T1', lines: [line('L9', 5)] })).toEqual({})
  })

  test('may be those of a parcel that only lacks its number', () => {
    const unnumbered = sent([remoteShipment({ tracking_number: null, lines: all })])
    expect(errors(unnumbered, parcel())).toEqual({})
    expect(errors(unnumbered, parcel([line('L1', 1)]))).toEqual(nothingLeft)
    const both = sent([
      remoteShipment({ tracking_number: null, lines: [line('L1', 2)] }),
      remoteShipment({ tracking_number: 'T1', lines: [line('L2', 1)] }),
    ])
    expect(errors(both, parcel())).toEqual(nothingLeft)
    const drafted = sent([
      remoteShipment({ tracking_number: null, status: 'pending', lines: [line('L1', 2)] }),
      remoteShipment({ tracking_number: 'T1', lines: [line('L2', 1)] }),
    ])
    expect(errors(drafted, parcel())).toEqual({})
  })

  test('are all there in an order that was cancelled as a whole, and sent by force', () => {
    const called = lines.map((one) => ({ ...one, quantity_cancelled: one.quantity }))
    expect(errors(remoteOrder({ status: 'cancelled', lines: called }), parcel(all))).toEqual({})
    expect(errors(remoteOrder({ lines: called }), parcel(all))).toEqual(nothingLeft)
  })

  test('of an order without lines are not looked at', () => {
    const bare = remoteOrder({ shipments: [remoteShipment()] })
    expect(errors(bare, parcel())).toEqual({})
  })
})
