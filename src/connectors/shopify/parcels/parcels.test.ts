import { describe, expect, test } from 'vitest'
import { order, parcel } from '../../../../test/support/samples/shopify-order.ts'
import { toOrder } from '../translate-order.ts'

describe('parcels', () => {
  const statusOf = (fields: object) => toOrder({ ...order, fulfillments: [parcel(1, fields, [])] }).shipments[0]?.status

  test.each([
    [['SUBMITTED', 'CONFIRMED', 'LABEL_PURCHASED', 'LABEL_PRINTED', 'LABEL_VOIDED', 'READY_FOR_PICKUP'], 'pending'],
    [['FULFILLED', 'MARKED_AS_FULFILLED', null], 'shipped'],
    [['CARRIER_PICKED_UP', 'IN_TRANSIT', 'OUT_FOR_DELIVERY', 'ATTEMPTED_DELIVERY', 'DELAYED'], 'in_transit'],
    [['DELIVERED', 'PICKED_UP'], 'delivered'],
    [['NOT_DELIVERED', 'FAILURE'], 'failed'],
    [['CANCELED'], 'cancelled'],
  ])('%j is %s', (words, status) => {
    expect(words.map((displayStatus) => statusOf({ displayStatus }))).toEqual(words.map(() => status))
  })

  test('what became of the record comes first', () => {
    expect(statusOf({ status: 'CANCELLED', displayStatus: 'DELIVERED' })).toBe('cancelled')
    expect(statusOf({ status: 'ERROR', displayStatus: 'DELIVERED' })).toBe('failed')
    expect(() => statusOf({ displayStatus: 'NEW' })).toThrow('Unknown shipment status')
  })
})

describe('returns', () => {
  const item = (reason: string | null, more: object) => ({
    ...{ quantity: 2, returnReasonNote: '', customerNote: null, ...more },
    returnReasonDefinition: reason === null ? null : { name: reason },
  })
  const back = (status: string, ...items: object[]) => ({
    ...{ id: 'gid://shopify/Return/9', status, createdAt: '2026-10-05T08:00:00Z' },
    returnLineItems: { nodes: items },
  })
  const ofLine = { fulfillmentLineItem: { lineItem: { id: 'gid://shopify/LineItem/1' } } }

  test('have their lines, with the reason that was chosen and what was written; some are of no line of the order', () => {
    const items = [
      item('Too small', ofLine),
      item('Other', { ...ofLine, returnReasonNote: 'Smells', customerNote: 'Of fish' }),
      item(null, {}),
    ]
    expect(toOrder({ ...order, returns: [back('OPEN', ...items)] }).returns).toEqual([
      {
        remote_id: 'gid://shopify/Return/9',
        status: 'approved',
        remote_status: 'OPEN',
        requested_at: '2026-10-05T08:00:00.000000Z',
        lines: [
          { order_line_remote_id: 'gid://shopify/LineItem/1', quantity: 2, reason: 'Too small' },
          { order_line_remote_id: 'gid://shopify/LineItem/1', quantity: 2, reason: 'Other: Smells: Of fish' },
          { order_line_remote_id: null, quantity: 2, reason: null },
        ],
      },
    ])
  })

  test('have a status of ours', () => {
    const words = ['REQUESTED', 'OPEN', 'CLOSED', 'DECLINED', 'CANCELED', 'NEW']
    const { returns } = toOrder({ ...order, returns: words.map((word) => back(word)) })
    expect(returns?.map(({ status }) => status)).toEqual([
      ...['requested', 'approved', 'completed', 'declined', 'cancelled', 'unknown'],
    ])
  })
})
