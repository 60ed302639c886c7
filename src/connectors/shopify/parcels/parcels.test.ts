import { describe, expect, test } from 'vitest'
import { gift, mug, order, parcel } from '../../../../test/support/samples/shopify-order.ts'
import { openShopify } from '../../../../test/support/shopify-shop.ts'
import { orders } from '../orders.ts'
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
    expect(() => statusOf({ displayStatus: 'NEW' })).toThrow('Unknown value of "status": NEW.')
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

  test('that were exchanged: the line that the buyer gets says for which return', () => {
    const given = (...ids: string[]) => ({ nodes: [{ lineItems: ids.map((id) => ({ id })) }, { lineItems: null }] })
    const returns = [
      { ...back('OPEN', item('Too small', ofLine)), name: '#1001-R1', exchangeLineItems: given(gift) },
      { ...back('OPEN'), exchangeLineItems: null },
    ]
    const { lines } = toOrder({ ...order, returns })
    expect(lines.map(({ remote_id: id, attributes }) => [id, attributes])).toEqual([
      [mug, []],
      [gift, [{ name: 'Exchange', value: '#1001-R1' }]],
    ])
  })

  test('name what was given in exchange in the shop’s answers as well', async () => {
    const { shop } = openShopify({ orders: 300 })
    const granted = { ...shop, granted: ['read_orders', 'read_returns'] }
    const names: string[] = []
    for (let cursor: string | null = null, isMore = true; isMore; isMore = cursor !== null) {
      const page = await orders.list(granted, { updatedSince: null, statuses: [], cursor, limit: 50 })
      const lines = page.items.flatMap((raw) => toOrder(raw).lines)
      names.push(...lines.flatMap(({ attributes }) => attributes).map(({ name }) => name))
      cursor = page.next
    }
    expect(names).toContain('Exchange')
  })

  test('have a status of ours', () => {
    const words = ['REQUESTED', 'OPEN', 'CLOSED', 'DECLINED', 'CANCELED', 'NEW']
    const { returns } = toOrder({ ...order, returns: words.map((word) => back(word)) })
    expect(returns?.map(({ status }) => status)).toEqual([
      ...['requested', 'approved', 'completed', 'declined', 'cancelled', 'unknown'],
    ])
  })
})
