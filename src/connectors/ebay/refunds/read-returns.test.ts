import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { fieldsOf } from '../../../commerce/reading.ts'
import { ebay } from '../index.ts'
import { returns } from './read-returns.ts'

const facts = { shop: 'seller.ebay.com', settings: {} }
const request = (status: string) => ({
  ...{ returnId: 5_000_123, orderId: '12-12345-12345', state: status, status, currentType: 'MONEY_BACK' },
  creationInfo: {
    ...{ item: { itemId: '110', transactionId: '220', returnQuantity: 1 }, reason: 'WRONG_SIZE' },
    creationDate: { value: '2026-11-01T08:00:00.000Z' },
  },
})

describe('a return', () => {
  test('is told with the article that it is of', () => {
    expect(returns.translate(request('RETURN_REQUESTED'), facts)).toEqual([
      {
        ...{ order_remote_id: '12-12345-12345', updated_at: '2026-11-01T08:00:00.000000Z' },
        told: {
          ...{ remote_id: '5000123', status: 'requested', remote_status: 'RETURN_REQUESTED' },
          requested_at: '2026-11-01T08:00:00.000000Z',
          lines: [{ order_line_remote_id: null, quantity: 1, reason: 'WRONG_SIZE' }],
        },
      },
    ])
  })

  test.each([
    ['READY_FOR_SHIPPING', 'approved'],
    ['ITEM_SHIPPED', 'approved'],
    ['ITEM_DELIVERED', 'received'],
    ['CLOSED', 'completed'],
    ['RETURN_REJECTED', 'declined'],
    ['ESCALATED', 'unknown'],
  ])('that is %s is %s', (status, expected) => {
    expect(returns.translate(request(status), facts)).toMatchObject([{ told: { status: expected } }])
  })
})

test('times that hold more than comes at once are shortened, and none is left out', async () => {
  const { shop } = openImitation(ebay, { orders: 400 })
  const list = ebay.orders?.returns
  if (typeof list !== 'object') throw new Error('There is no list.')
  const read = async (limit: number) => {
    const ids: unknown[] = []
    for (let cursor: string | null = null, calls = 0; calls < 200; calls++) {
      const page = await list.list(shop, { updatedSince: null, cursor, limit, now: '2026-11-16T08:00:00.000000Z' })
      ids.push(...page.items.map((raw) => fieldsOf(raw)['returnId']))
      if (page.next === null) return ids
      cursor = page.next
    }
    throw new Error('The list has no end.')
  }
  const all = await read(100)
  expect(all.length).toBeGreaterThan(10)
  // What comes together is in no order that anybody promises, and where one time ends depends on the clock.
  expect((await read(2)).toSorted()).toEqual(all.toSorted())
})

test('requests are paid for from the 5,000 calls that an application has for them in a day', async () => {
  const { shop, asked } = openImitation(ebay)
  const list = ebay.orders?.returns
  if (typeof list !== 'object') throw new Error('There is no list.')
  await list.list(shop, { updatedSince: null, cursor: null, limit: 20, now: '2026-11-16T08:00:00.000000Z' })
  expect(asked.map(({ request: { budget } }) => budget)).toEqual(['post_order'])
  const { post_order: own, cancellations } = ebay.remote.budgets
  for (const budget of [own, cancellations]) {
    expect((budget?.capacity ?? Infinity) + (budget?.perSecond ?? Infinity) * 86_400).toBeLessThanOrEqual(5000)
    expect(budget?.scope).toBe('application')
  }
})
