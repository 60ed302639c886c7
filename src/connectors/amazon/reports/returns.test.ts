import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { amazon } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { returns } from './returns.ts'

const { facts, shop } = openImitation<Settings, Credentials>(amazon, { orders: 10 })
const row = (status: string, more: object = {}) => ({
  ...{ 'order id': '302-1', 'return request date': '03-Nov-2026', 'return request status': status },
  ...{ 'amazon rma id': 'RMA1', 'merchant sku': 'A', 'return quantity': '2', 'return reason': 'Too small' },
  ...more,
})
const read = (...rows: object[]) => returns.translate({ rows }, { ...facts, settings: shop.settings })

describe('a return', () => {
  test('is told with the articles that it is of', () => {
    expect(read(row('Approved'), row('Approved', { 'merchant sku': 'B', 'return quantity': '1' }))).toEqual([
      {
        ...{ order_remote_id: '302-1', updated_at: '2026-11-03T00:00:00.000000Z', skus: ['A', 'B'] },
        told: {
          ...{
            remote_id: 'RMA1',
            status: 'approved',
            remote_status: 'Approved',
            requested_at: '2026-11-03T00:00:00.000000Z',
          },
          lines: [
            { order_line_remote_id: null, quantity: 2, reason: 'Too small' },
            { order_line_remote_id: null, quantity: 1, reason: 'Too small' },
          ],
        },
      },
    ])
  })

  test.each([
    ['Pending', {}, 'requested'],
    ['Approved', {}, 'approved'],
    ['Approved', { 'return delivery date': '09-Nov-2026' }, 'received'],
    ['Approved', { 'return delivery date': '09-Nov-2026', 'refunded amount': '12.50' }, 'completed'],
    ['Approved', { 'refunded amount': '0.00' }, 'approved'],
    ['Denied', {}, 'declined'],
    ['Closed', {}, 'completed'],
    ['On the moon', {}, 'unknown'],
  ])('that is %s with %o is %s', (status, more, expected) => {
    expect(read(row(status, more))).toMatchObject([{ told: { status: expected } }])
  })

  test('of which a part has come is there in part; one without a number is known by its order and day', () => {
    const [one] = read(row('Approved', { 'return delivery date': '09-Nov-2026', 'amazon rma id': '' }), row('Approved'))
    expect(one?.told).toMatchObject({ remote_id: '302-1 2026-11-03', status: 'partially_received' })
  })
})

test('nothing is asked for where Amazon sends, and takes the returns as well', async () => {
  const own = { ...shop, settings: { ...shop.settings, fulfilled_by: 'amazon' as const } }
  const query = { updatedSince: null, cursor: null, limit: 20, now: '2026-11-16T08:00:00.000000Z' }
  expect(await returns.list(own, query)).toEqual({ items: [], next: null, total: null })
})
