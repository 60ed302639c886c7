import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { fieldsOf } from '../../../commerce/reading.ts'
import { tiktokShop } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { returns } from './read-returns.ts'

const facts = { shop: 'uslcabcd12', settings: {} }
const item = (seller_sku: string) => ({ order_line_item_id: '5770', sku_id: '1729', seller_sku })
const request = (return_status: string, more: object = {}) => ({
  ...{ return_id: '4035', order_id: '5764', return_status, return_type: 'RETURN_AND_REFUND' },
  ...{ create_time: 1_794_700_000, update_time: 1_794_800_000, return_reason_text: 'Too small' },
  ...{ return_line_items: [item('A'), item('A'), item('B')], ...more },
})

describe('a return', () => {
  test('is told with its pieces, by their SKU', () => {
    const line = (quantity: number) => ({ order_line_remote_id: null, quantity, reason: 'Too small' })
    expect(returns.translate(request('RETURN_OR_REFUND_REQUEST_PENDING'), facts)).toEqual([
      {
        ...{ order_remote_id: '5764', updated_at: '2026-11-16T03:33:20.000000Z', skus: ['A', 'B'] },
        told: {
          ...{ remote_id: '4035', status: 'requested', remote_status: 'RETURN_OR_REFUND_REQUEST_PENDING' },
          ...{ requested_at: '2026-11-14T23:46:40.000000Z', lines: [line(2), line(1)] },
        },
      },
    ])
  })

  test.each([
    ['AWAITING_BUYER_SHIP', 'approved'],
    ['BUYER_SHIPPED_ITEM', 'approved'],
    ['RETURN_OR_REFUND_REQUEST_COMPLETE', 'completed'],
    ['REJECT_RECEIVE_PACKAGE', 'declined'],
    ['RETURN_OR_REFUND_REQUEST_CANCEL', 'cancelled'],
    ['A_NEW_ONE', 'unknown'],
    ['toString', 'unknown'],
  ])('that is %s is %s', (status, expected) => {
    expect(returns.translate(request(status), facts)).toMatchObject([{ told: { status: expected } }])
  })

  test('of money alone sends nothing back', () => {
    expect(returns.translate(request('AWAITING_BUYER_SHIP', { return_type: 'REFUND' }), facts)).toEqual([])
  })
})

test('all of them are listed, from a time on', async () => {
  const { shop } = openImitation<Settings, Credentials>(tiktokShop, { orders: 900 })
  const read = async (updatedSince: string | null) => {
    const found: unknown[] = []
    for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
      const page = await returns.list(shop, { updatedSince, cursor, limit: 5, now: '2026-11-16T08:00:00.000000Z' })
      found.push(...page.items)
      cursor = page.next
      if (cursor === null) return found
    }
    throw new Error('The list has no end.')
  }
  const all = (await read(null)).map((raw) => fieldsOf(raw))
  expect(all.length).toBeGreaterThan(50)
  expect(new Set(all.map((one) => one['return_id'])).size).toBe(all.length)
  const times = all.map((one) => Number(one['update_time']))
  const middle = times[Math.floor(times.length / 2)] ?? 0
  expect(await read(new Date(middle * 1000).toISOString())).toHaveLength(times.filter((at) => at >= middle).length)
})
