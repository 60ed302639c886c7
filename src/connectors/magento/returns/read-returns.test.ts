import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { magento } from '../index.ts'
import { returns } from './read-returns.ts'

const facts = { shop: 'shop.example', settings: {} }
const item = (status: string) => ({
  ...{ entity_id: 1, rma_entity_id: 5, order_item_id: 11, qty_requested: 2, status, reason: '7' },
})
const row = (status: string, ...items: object[]) => ({
  ...{ entity_id: 5, order_id: 3, date_requested: '2026-11-01 08:00:00', status, items },
  reasons: [{ value: '7', label: 'Wrong Size' }],
})

describe('a return', () => {
  test('is told with its lines and the words for their reasons', () => {
    expect(returns.translate(row('pending', item('pending')), facts)).toEqual([
      {
        ...{ order_remote_id: '3', updated_at: '2026-11-01T08:00:00.000000Z' },
        told: {
          ...{ remote_id: '5', status: 'requested', remote_status: 'pending' },
          requested_at: '2026-11-01T08:00:00.000000Z',
          lines: [{ order_line_remote_id: '11', quantity: 2, reason: 'Wrong Size' }],
        },
      },
    ])
  })

  test.each([
    ['authorized', ['authorized'], 'approved'],
    ['partially_authorized', ['authorized', 'denied'], 'approved'],
    ['received_on_item', ['received', 'authorized'], 'partially_received'],
    ['received', ['received'], 'received'],
    ['approved_on_item', ['approved', 'received'], 'partially_received'],
    ['processed_closed', ['approved', 'rejected'], 'completed'],
    ['closed', ['denied'], 'declined'],
    ['closed', ['rejected', 'denied'], 'declined'],
    ['closed', ['authorized'], 'completed'],
    ['new_one', ['pending'], 'unknown'],
  ])('that is %s with items that are %s is %s', (status, items, expected) => {
    expect(returns.translate(row(status, ...items.map(item)), facts)).toMatchObject([{ told: { status: expected } }])
  })
})

test('Magento Open Source has no list of returns, which is none of them', async () => {
  const { shop } = openImitation(magento, { variant: { edition: 'open_source' } })
  const list = magento.orders?.returns
  if (typeof list !== 'object') throw new Error('There is no list.')
  expect(
    await list.list(shop, { updatedSince: null, cursor: null, limit: 20, now: '2026-11-16T08:00:00.000000Z' }),
  ).toEqual({
    items: [],
    next: null,
    total: null,
  })
})
