import { describe, expect, test } from 'vitest'
import { incomingOrder } from '../../../test/support/orders.ts'
import {
  isKnownToShop,
  isOrderStatus,
  mayMove,
  type OrderStatus,
  orderStatuses,
  ownItem,
  statusAfterSync,
  withoutPrivate,
} from './order.ts'

describe('callers of ours may move an order', () => {
  const moves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
    UNPAID: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
    ON_HOLD: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
    PENDING: ['ACKNOWLEDGED', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
    ACKNOWLEDGED: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
    SHIPPED: ['DELIVERED'],
    DELIVERED: [],
    REFUNDED: [],
    CANCELLED: [],
  }
  test.each(orderStatuses)('from %s', (from) => {
    expect(orderStatuses.filter((to) => mayMove(from, to))).toEqual(moves[from])
  })

  test('only to what is a status', () => {
    expect(orderStatuses.every(isOrderStatus)).toBe(true)
    expect(['pending', 'LOST', ''].filter(isOrderStatus)).toEqual([])
  })
})

describe('what an order is after the shop has reported it', () => {
  const held = { status: 'PENDING', acknowledged: false, underWay: false } as const

  test.each(orderStatuses)('is what the shop says: %s', (incoming) => {
    for (const status of orderStatuses) expect(statusAfterSync({ ...held, status }, incoming)).toBe(incoming)
  })

  test('is what we did, while that is under way and the shop’s word is from before it', () => {
    const shipped = { ...held, status: 'SHIPPED', underWay: true } as const
    const after = orderStatuses.map((incoming) => statusAfterSync(shipped, incoming))
    expect(after).toEqual(['SHIPPED', 'SHIPPED', 'SHIPPED', 'SHIPPED', 'SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED'])
  })

  test('is acknowledged where somebody has, which no shop says', () => {
    const acknowledged = { ...held, status: 'ACKNOWLEDGED', acknowledged: true } as const
    expect(statusAfterSync(acknowledged, 'PENDING')).toBe('ACKNOWLEDGED')
    expect(statusAfterSync({ ...acknowledged, status: 'SHIPPED' }, 'PENDING')).toBe('ACKNOWLEDGED')
    expect(statusAfterSync(acknowledged, 'UNPAID')).toBe('UNPAID')
  })
})

test('a line that callers of ours describe is not known to any shop, and nothing of it has gone yet', () => {
  expect(ownItem({ sku: 'CUP', name: 'Cup', quantity: 2, price: '5.00' })).toEqual({
    sku: 'CUP',
    name: 'Cup',
    quantity: 2,
    price: '5.00',
    remote_id: null,
    product_remote_id: null,
    variant_remote_id: null,
    variant_name: null,
    quantity_fulfilled: 0,
    quantity_refunded: 0,
    quantity_cancelled: 0,
    requires_shipping: null,
    discount: null,
    tax: null,
    total: null,
  })
})

test('an order that was made here is not known to the shop', () => {
  expect([isKnownToShop({ remote_version: '1' }), isKnownToShop({ remote_version: null })]).toEqual([true, false])
})

test('an order without its customer says neither who bought it nor where it went, and everything else', () => {
  const personal = {
    customer: { email: 'ada@example.com' },
    billing_address: { city: 'Vienna' },
    shipping_address: { city: 'Graz' },
    note: 'Ring twice, Ada',
    attributes: [{ name: 'Gift message', value: 'For Ada' }],
    tax_ids: [{ kind: 'VAT', value: 'of Ada' }],
    returns: [
      {
        ...{ remote_id: 'B1', status: 'approved' as const, remote_status: 'OPEN', requested_at: null },
        lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Ada grew' }],
      },
    ],
    items: incomingOrder('1').items.map((item) => ({ ...item, attributes: [{ name: 'Engraving', value: 'Ada' }] })),
    remote_payload: '{"email":"ada@example.com"}',
  }
  const { remote_payload: _sealed, ...order } = incomingOrder('1', personal)
  const forgotten = { ...order, ...withoutPrivate({ ...order, returns: personal.returns }) }
  expect(JSON.stringify(forgotten)).not.toMatch(/ada|vienna|graz/i)
  const { customer, billing_address, shipping_address, note, returns, ...rest } = forgotten
  expect(returns).toMatchObject([{ remote_id: 'B1', lines: [{ quantity: 1, reason: null }] }])
  expect({ customer, billing_address, shipping_address, note }).toEqual({
    customer: {},
    billing_address: null,
    shipping_address: null,
    note: null,
  })
  expect(incomingOrder('1')).toMatchObject(rest)
  expect(rest.items).toHaveLength(1)
})
