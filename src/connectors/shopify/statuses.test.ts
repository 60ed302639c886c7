import { describe, expect, test } from 'vitest'
import { line, mug, only, order, parcel } from '../../../test/support/samples/shopify-order.ts'
import { toOrder } from './translate-order.ts'

describe('words', () => {
  const words = (fields: object) => {
    const {
      status,
      payment_status: paid,
      fulfillment_status: sent,
      remote_status: word,
    } = toOrder({
      ...order,
      fulfillments: [],
      ...fields,
    })
    return [status, paid, sent, word]
  }

  test.each([
    ['PENDING', 'UNFULFILLED', 'pending', 'pending', 'unfulfilled'],
    // As a rule the money is taken when the goods leave.
    ['AUTHORIZED', 'OPEN', 'open', 'authorized', 'unfulfilled'],
    ['EXPIRED', 'IN_PROGRESS', 'on_hold', 'voided', 'unfulfilled'],
    ['VOIDED', 'PARTIALLY_FULFILLED', 'on_hold', 'voided', 'partial'],
    ['REFUNDED', 'UNFULFILLED', 'on_hold', 'refunded', 'unfulfilled'],
    ['PARTIALLY_PAID', 'PENDING_FULFILLMENT', 'open', 'partially_paid', 'unfulfilled'],
    ['PAID', 'REQUEST_DECLINED', 'open', 'paid', 'unfulfilled'],
    ['PAID', 'RESTOCKED', 'open', 'paid', 'unfulfilled'],
    ['PAID', 'ON_HOLD', 'on_hold', 'paid', 'unfulfilled'],
    ['PAID', 'SCHEDULED', 'on_hold', 'paid', 'unfulfilled'],
    ['PENDING', 'PARTIALLY_FULFILLED', 'open', 'pending', 'partial'],
    ['VOIDED', 'FULFILLED', 'completed', 'voided', 'fulfilled'],
    ['REFUNDED', 'FULFILLMENT_NOT_REQUIRED', 'completed', 'refunded', 'not_required'],
    ['PENDING', 'FULFILLMENT_NOT_REQUIRED', 'pending', 'pending', 'not_required'],
  ])('%s/%s is %s', (financial, sent, ...expected) => {
    expect(words({ displayFinancialStatus: financial, displayFulfillmentStatus: sent })).toEqual([
      ...expected,
      `${financial}/${sent}`,
    ])
  })

  test('a shop may wait for the capture, or send what is not paid for', () => {
    const status = (displayFinancialStatus: string, settings: object) =>
      toOrder(
        { ...order, fulfillments: [], displayFinancialStatus, displayFulfillmentStatus: 'UNFULFILLED' },
        {
          shop: 'a.myshopify.com',
          settings,
        },
      ).status
    expect(status('AUTHORIZED', { wait_for_capture: true })).toBe('pending')
    expect(status('PENDING', { send_unpaid: true })).toBe('open')
  })

  test('why an order is held is said, and one of which nothing is left is cancelled', () => {
    const lineItems = only([{ ...line, currentQuantity: 0, unfulfilledQuantity: 0 }])
    const paid = { ...order, fulfillments: [], displayFulfillmentStatus: 'UNFULFILLED' }
    expect(toOrder({ ...paid, displayFinancialStatus: 'EXPIRED' })).toMatchObject({ hold_reason: 'EXPIRED' })
    expect(toOrder({ ...paid, displayFulfillmentStatus: 'SCHEDULED' })).toMatchObject({ hold_reason: 'SCHEDULED' })
    expect(toOrder({ ...paid, displayFinancialStatus: 'REFUNDED', lineItems })).toMatchObject({
      status: 'cancelled',
      hold_reason: null,
      remote_status: 'REFUNDED/UNFULFILLED',
    })
  })

  test('without a word about money', () => {
    expect(words({ displayFinancialStatus: null, displayFulfillmentStatus: 'UNFULFILLED' })).toEqual([
      'open',
      'unknown',
      'unfulfilled',
      'NONE/UNFULFILLED',
    ])
  })

  test('a merchant may close an order by hand', () => {
    const closed = { closedAt: '2026-10-06T00:00:00Z', displayFulfillmentStatus: 'ON_HOLD' }
    expect(words(closed).slice(0, 3)).toEqual(['completed', 'partially_refunded', 'unfulfilled'])
  })

  test('what was cancelled says when and why', () => {
    const cancelled = { cancelledAt: '2026-10-03T08:00:00Z', cancelReason: 'CUSTOMER' }
    expect(words(cancelled)).toEqual(['cancelled', 'partially_refunded', 'partial', 'CANCELLED'])
    expect(toOrder({ ...order, ...cancelled })).toMatchObject({
      cancelled_at: '2026-10-03T08:00:00.000000Z',
      cancel_reason: 'CUSTOMER',
    })
  })

  const sent = (...statuses: readonly string[]) => ({
    displayFinancialStatus: 'PAID',
    displayFulfillmentStatus: 'FULFILLED',
    fulfillments: statuses.map((displayStatus, n) => parcel(n, { displayStatus }, [[mug, 1]])),
  })

  test('an order has arrived when all of it has', () => {
    expect(words(sent('DELIVERED', 'PICKED_UP'))[2]).toBe('delivered')
    expect(words(sent('DELIVERED', 'CANCELED'))[2]).toBe('delivered')
    expect(words(sent('DELIVERED', 'IN_TRANSIT'))[2]).toBe('fulfilled')
    expect(words(sent('CANCELED'))[2]).toBe('fulfilled')
    expect(words({ ...sent('DELIVERED'), displayFulfillmentStatus: 'PARTIALLY_FULFILLED' })[2]).toBe('partial')
  })

  test.each([{ displayFinancialStatus: 'NEW' }, { displayFulfillmentStatus: 'NEW' }])(
    '%o is no word that we know, and holds the order',
    (fields) => {
      const held = { status: 'on_hold', hold_reason: expect.stringMatching(/^unknown status: .*NEW/) }
      expect(toOrder({ ...order, ...fields })).toMatchObject(held)
    },
  )
})
