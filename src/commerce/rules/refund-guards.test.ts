import { describe, expect, test } from 'vitest'
import { orderLine, remoteOrder } from '../../../test/support/remote-order.ts'
import { textsOf } from '../../lib/fault.ts'
import type { OrderLine, RemoteOrder } from '../order.ts'
import { reckonLineCancellation, reckonRefund, whyNotCancelLines, whyNotRefund } from './refund-guards.ts'

const euro = (amount: string) => ({ amount, currency: 'EUR' })
const line = (id: string, quantity: number) => ({ order_line_remote_id: id, quantity })

describe('money of an order', () => {
  const full = 'The order has already been refunded in full.'
  const unpaid = 'The order has not been paid: there is nothing to refund. Set force to do it anyway.'
  test.each<[Partial<RemoteOrder>, string | null, string | null]>([
    [{}, null, null],
    [{ refunded_total: euro('9.99') }, null, null],
    [{ refunded_total: euro('10.00') }, full, full],
    [{ refunded_total: euro('10.01') }, full, full],
    [{ payment_status: 'refunded' }, full, full],
    [{ total: euro('0.00') }, full, full],
    [{ payment_status: 'partially_paid' }, null, null],
    [{ payment_status: 'unknown' }, null, null],
    [{ payment_status: 'pending' }, unpaid, null],
    [{ payment_status: 'authorized' }, unpaid, null],
    [{ payment_status: 'failed' }, unpaid, null],
    [{ payment_status: 'voided' }, unpaid, null],
    [{ payment_status: 'pending', total: euro('0.00') }, unpaid, null],
  ])('that is %j may go back, or: %s; by force: %s', (answers, why, forced) => {
    expect(whyNotRefund(remoteOrder(answers), {}, { force: false })?.text ?? null).toBe(why)
    expect(whyNotRefund(remoteOrder(answers), {}, { force: true })?.text ?? null).toBe(forced)
  })
})

test('what is left is what the platform says, where it says so', () => {
  const unforced = { force: false }
  const full = 'The order has already been refunded in full.'
  expect(whyNotRefund(remoteOrder(), { left: () => '0.00' }, unforced)?.text).toBe(full)
  const shown = remoteOrder({ refunded_total: euro('10.00') })
  expect(whyNotRefund(shown, { left: () => '2.00' }, unforced)).toBeNull()
  expect(whyNotRefund({ ...shown, payment_status: 'refunded' }, { left: () => '2.00' }, unforced)?.text).toBe(full)
})

describe('a refund', () => {
  const order = remoteOrder({
    total: euro('40.00'),
    refunded_total: euro('5.00'),
    refunds: [{ remote_id: 'R1', amount: euro('5.00'), reason: null, refunded_at: null, lines: [] }],
    lines: [
      orderLine({ remote_id: 'L1', quantity: 3, total: euro('10.00') }),
      orderLine({ remote_id: 'L2', quantity: 2, quantity_refunded: 1, total: euro('20.00') }),
    ],
  })
  const means = { by: ['amount', 'lines'], restock: true, paidFor: ({ total }: OrderLine) => total.amount } as const
  const draft = { order_remote_id: '1' }
  const reckon = (more: object, ways: object = {}) => reckonRefund(order, { ...draft, ...more }, { ...means, ...ways })
  const errorsOf = (more: object, ways: object = {}) => textsOf(reckon(more, ways).errors)

  test('of an amount is that amount, with how the order stood before', () => {
    expect(reckon({ amount: '7.5' })).toEqual({
      errors: {},
      wanted: {
        order_remote_id: '1',
        currency: 'EUR',
        amount: '7.50',
        lines: [],
        restock: false,
        reason: null,
        before: { refunds: ['R1'], refunded: '5.00' },
      },
    })
  })

  test('of lines is what they are worth, each line once', () => {
    const { wanted, errors } = reckon({
      lines: [line('L1', 1), line('L2', 1), line('L1', 1)],
      restock: true,
      reason: 'Broken',
    })
    expect(errors).toEqual({})
    expect(wanted).toMatchObject({
      amount: '16.67',
      lines: [
        { order_line_remote_id: 'L1', quantity: 2, amount: '6.67' },
        { order_line_remote_id: 'L2', quantity: 1, amount: '10.00' },
      ],
      restock: true,
      reason: 'Broken',
    })
  })

  test('of goods by weight is of so much of them, and of no more', () => {
    const cheese = remoteOrder({ lines: [orderLine({ remote_id: 'C', quantity: 0.75, total: euro('10.00') })] })
    const reckoned = (quantity: number) => reckonRefund(cheese, { ...draft, lines: [line('C', quantity)] }, means)
    expect(reckoned(0.25)).toMatchObject({ errors: {}, wanted: { amount: '3.33' } })
    expect(textsOf(reckoned(0.8).errors)).toEqual({
      'lines.0.quantity': ['The lines.0.quantity field is more than is left to refund: only 0.75.'],
    })
  })

  test('says whether the customer is written to, where somebody has said so', () => {
    expect(reckon({ amount: '1.00', notify_customer: false }).wanted).toHaveProperty('notify_customer', false)
    expect(reckon({ amount: '1.00' }).wanted).not.toHaveProperty('notify_customer')
  })

  test.each([
    ['says how much or what for', {}, 'amount', 'The amount field is required when lines is not present.'],
    [
      'says so with something in it',
      { lines: [] },
      'amount',
      'The amount field is required when lines is not present.',
    ],
    [
      'does not say both',
      { amount: '1.00', lines: [line('L1', 1)] },
      'amount',
      'The amount field cannot be given together with lines.',
    ],
    ['is of something', { amount: '0.00' }, 'amount', 'There is nothing to refund.'],
    [
      'has no more places than the currency',
      { amount: '1.005' },
      'amount',
      'The amount field has more places than EUR.',
    ],
    [
      'is no more than is left',
      { amount: '35.01' },
      'amount',
      'The amount field is more than is left to refund: 35.00 EUR.',
    ],
    [
      'is of lines of the order',
      { lines: [line('L9', 1)] },
      'lines.0.order_line_remote_id',
      'The selected lines.0.order_line_remote_id is not in the order.',
    ],
    [
      'is of no more pieces than there are',
      { lines: [line('L1', 4)] },
      'lines.0.quantity',
      'The lines.0.quantity field is more than is left to refund: only 3.',
    ],
    [
      'is not of pieces that were refunded',
      { lines: [line('L1', 1), line('L2', 2)] },
      'lines.1.quantity',
      'The lines.1.quantity field is more than is left to refund: only 1.',
    ],
    [
      'says which goods go back',
      { amount: '1.00', restock: true },
      'restock',
      'Which goods go back into stock is said by lines.',
    ],
  ])('%s', (_, more, field, message) => {
    expect(errorsOf(more)).toEqual({ [field]: [message] })
  })

  test('may be of all that is left', () => {
    expect(errorsOf({ amount: '35.00' })).toEqual({})
    expect(errorsOf({ amount: '35.00', lines: null })).toEqual({})
    expect(errorsOf({ amount: null, lines: [line('L1', 3)] })).toEqual({})
  })

  test('names pieces that are counted twice at both places', () => {
    expect(Object.keys(errorsOf({ lines: [line('L1', 2), line('L1', 2)] }))).toEqual([
      'lines.0.quantity',
      'lines.1.quantity',
    ])
    const gone = remoteOrder({ ...order, lines: [orderLine({ quantity: 1, quantity_refunded: 1 })] })
    expect(textsOf(reckonRefund(gone, { ...draft, lines: [line('L1', 1)] }, means).errors)).toEqual({
      'lines.0.quantity': ['The lines.0.quantity field is more than is left to refund: none.'],
    })
  })

  test('of lines is no more than is left of the whole', () => {
    const dear = remoteOrder({ ...order, total: euro('8.00') })
    expect(textsOf(reckonRefund(dear, { ...draft, lines: [line('L1', 3)] }, means).errors)).toEqual({
      lines: ['The lines field is more than is left to refund: 3.00 EUR.'],
    })
    const free = remoteOrder({ ...order, lines: [orderLine({ total: euro('0.00') })] })
    expect(textsOf(reckonRefund(free, { ...draft, lines: [line('L1', 1)] }, means).errors)).toEqual({
      lines: ['There is nothing to refund.'],
    })
  })

  test.each([
    [
      'of an amount',
      { amount: '1.00' },
      { by: ['lines'] },
      'amount',
      'This platform refunds lines of an order: say which.',
    ],
    ['of lines', { lines: [line('L1', 1)] }, { by: ['amount'] }, 'lines', 'This platform refunds amounts, not lines.'],
    [
      'with goods',
      { lines: [line('L1', 1)], restock: true },
      { restock: false },
      'restock',
      'This platform does not put goods back into stock with a refund.',
    ],
  ])('%s is refused where the platform cannot do it', (_, more, ways, field, message) => {
    expect(errorsOf(more, ways)).toEqual({ [field]: [message] })
    expect(errorsOf(more)).toEqual({})
  })

  test('without goods is none of the stock’s business', () => {
    expect(errorsOf({ amount: '1.00', restock: false }, { restock: false })).toEqual({})
  })
})

describe('single lines of an order', () => {
  test.each<[Partial<RemoteOrder>, string | null]>([
    [{}, null],
    [{ status: 'on_hold' }, null],
    [{ fulfillment_status: 'partial' }, null],
    [{ status: 'cancelled' }, 'The order has been cancelled in the shop.'],
    [{ fulfillment_status: 'fulfilled' }, 'The order has already been shipped.'],
    [{ fulfillment_status: 'delivered' }, 'The order has already been shipped.'],
    [{ payment_status: 'refunded' }, 'The order has been refunded in the shop. Set force to do it anyway.'],
  ])('of one that is %j may be called off, or: %s', (answers, why) => {
    expect(whyNotCancelLines(remoteOrder(answers))?.text ?? null).toBe(why)
  })

  const order = remoteOrder({
    lines: [
      orderLine({ remote_id: 'L1', quantity: 5, quantity_cancelled: 1, quantity_fulfilled: 1 }),
      orderLine({ remote_id: 'L2', quantity: 1, quantity_fulfilled: 1 }),
    ],
  })
  const reckon = (lines: ReturnType<typeof line>[], more: object = {}) =>
    reckonLineCancellation(order, { order_remote_id: '1', lines, ...more })

  test('are called off together, with how many had been before', () => {
    expect(reckon([line('L1', 1), line('L1', 2)])).toEqual({
      errors: {},
      wanted: { order_remote_id: '1', lines: [{ order_line_remote_id: 'L1', quantity: 3, before: 1 }], reason: null },
    })
    expect(reckon([line('L1', 1)], { reason: 'Broken', notify_customer: true }).wanted).toMatchObject({
      reason: 'Broken',
      notify_customer: true,
    })
  })

  test('are called off as far as they have not left', () => {
    expect(textsOf(reckon([line('L1', 4), line('L2', 1), line('L9', 1)]).errors)).toEqual({
      'lines.0.quantity': ['The lines.0.quantity field is more than is left to cancel: only 3.'],
      'lines.1.quantity': ['The lines.1.quantity field is more than is left to cancel: none.'],
      'lines.2.order_line_remote_id': ['The selected lines.2.order_line_remote_id is not in the order.'],
    })
    expect(textsOf(reckon([line('L1', 2), line('L1', 2)]).errors)).toEqual({
      'lines.1.quantity': ['The lines.1.quantity field is more than is left to cancel: only 3.'],
    })
  })
})
