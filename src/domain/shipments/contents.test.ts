import { describe, expect, test } from 'vitest'
import { Fault } from '../../lib/fault.ts'
import { type OrderItem, ownItem } from '../orders/order.ts'
import { assertSameContents, contentsOf, leftOf, withFulfilled } from './contents.ts'

const item = (
  remote_id: string | null,
  sku: string | null,
  quantity: number,
  more: Partial<OrderItem> = {},
): OrderItem => ({
  ...ownItem({ sku, name: sku, quantity, price: '1.00' }),
  remote_id,
  ...more,
})
const order = { items: [item('L1', 'CUP', 3), item('L2', 'JUG', 1)] }
const line = (id: string, quantity: number) => ({ order_line_remote_id: id, quantity })
const parcel = (status: string, ...items: readonly ReturnType<typeof line>[]) => ({
  status,
  items: items.map((part) => ({ sku: null, ...part })),
})

function errorsOf(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Fault ? error.errors : error
  }
}

describe('what is left of an order', () => {
  test.each([
    ['everything, before anything has gone', [], [3, 1]],
    ['what is in no parcel', [parcel('SHIPPED', line('L1', 2))], [1, 1]],
    [
      'what several parcels leave',
      [parcel('SHIPPED', line('L1', 2)), parcel('DELIVERED', line('L1', 1), line('L2', 1))],
      [0, 0],
    ],
    [
      'what was called off with its parcel',
      [parcel('CANCELLED', line('L1', 2)), parcel('FAILED', line('L2', 1))],
      [3, 1],
    ],
  ])('is %s', (_, parcels, left) => {
    expect(leftOf(order, parcels).map((one) => one.left)).toEqual(left)
  })
})

describe('a new parcel holds', () => {
  const rest = [parcel('SHIPPED', line('L1', 2))]

  test('everything that is left, where nothing was asked for', () => {
    const all = [
      { sku: 'CUP', order_line_remote_id: 'L1', quantity: 1 },
      { sku: 'JUG', order_line_remote_id: 'L2', quantity: 1 },
    ]
    expect(contentsOf(order, rest, undefined)).toEqual(all)
    expect(contentsOf(order, rest, [])).toEqual(all)
    expect(contentsOf(order, [parcel('SHIPPED', line('L1', 3), line('L2', 1))], undefined)).toEqual([])
  })

  test('what was asked for', () => {
    expect(contentsOf(order, rest, [{ sku: 'CUP', quantity: 1 }])).toEqual([
      { sku: 'CUP', order_line_remote_id: 'L1', quantity: 1 },
    ])
    expect(contentsOf(order, [], [line('L1', 2)])).toEqual([{ sku: 'CUP', order_line_remote_id: 'L1', quantity: 2 }])
  })

  test('what was asked for, where other lines have gone', () => {
    expect(contentsOf(order, [parcel('SHIPPED', line('L1', 3))], [line('L2', 1)])).toEqual([
      { sku: 'JUG', order_line_remote_id: 'L2', quantity: 1 },
    ])
  })

  test('never more than is left, or what is not in the order', () => {
    expect(errorsOf(() => contentsOf(order, rest, [line('L1', 2), line('L9', 1)]))).toEqual({
      'items.0.quantity': ['The items.0.quantity field is more than is left to ship: only 1.'],
      'items.1.order_line_remote_id': ['The selected items.1.order_line_remote_id is not in the order.'],
    })
  })

  test('nothing, where all has gone', () => {
    const all = [parcel('SHIPPED', line('L1', 3), line('L2', 1))]
    expect(errorsOf(() => contentsOf(order, all, [line('L1', 1)]))).toEqual({
      items: ['Nothing in the order is left to ship.'],
    })
  })

  test('nothing of an order without lines', () => {
    expect(errorsOf(() => contentsOf({ items: [] }, [], [line('L1', 1)]))).toEqual({
      'items.0.order_line_remote_id': ['The selected items.0.order_line_remote_id is not in the order.'],
    })
  })
})

describe('a parcel that is reported again', () => {
  const held = {
    items: [
      { sku: 'CUP', order_line_remote_id: 'L1', quantity: 2 },
      { sku: 'JUG', order_line_remote_id: 'L2', quantity: 1 },
      { sku: 'CUP', order_line_remote_id: 'L3', quantity: 1 },
    ],
  }
  const refused = { items: ['What a shipment holds cannot be changed after it was sent.'] }

  test.each([
    ['nothing', undefined],
    ['nothing in particular', []],
    ['the same', [line('L1', 2), line('L2', 1), line('L3', 1)]],
    ['the same in another order', [line('L3', 1), line('L2', 1), line('L1', 2)]],
    ['the same, piece by piece', [line('L1', 1), line('L1', 1), line('L2', 1), line('L3', 1)]],
    [
      'the same by articles',
      [
        { sku: 'CUP', quantity: 3 },
        { sku: 'JUG', quantity: 1 },
      ],
    ],
    [
      'the same, some by line and some by article',
      [{ sku: 'CUP', order_line_remote_id: null, quantity: 3 }, line('L2', 1)],
    ],
  ])('may hold %s', (_, wanted) => {
    expect(errorsOf(() => assertSameContents(held, wanted))).toBeNull()
  })

  test.each([
    ['less', [line('L1', 2), line('L2', 1)]],
    ['more', [line('L1', 3), line('L2', 1), line('L3', 1)]],
    ['as much of something else', [line('L1', 1), line('L2', 2), line('L3', 1)]],
    ['as much of another line', [line('L1', 2), line('L9', 1), line('L3', 1)]],
    [
      'as much of another article',
      [
        { sku: 'CUP', quantity: 3 },
        { sku: 'MUG', quantity: 1 },
      ],
    ],
  ])('may not hold %s', (_, wanted) => {
    expect(errorsOf(() => assertSameContents(held, wanted))).toEqual(refused)
  })

  test('may be said to hold anything, where nobody knows what it holds', () => {
    expect(errorsOf(() => assertSameContents({ items: [] }, [line('L9', 5)]))).toBeNull()
  })
})

describe('what has gone of each line', () => {
  test.each([
    ['is what is not left', {}, 1, 2],
    ['is all of it, where nothing is left', {}, 0, 3],
    ['is not what was cancelled', { quantity_cancelled: 1 }, 1, 1],
    ['is never less than was known', { quantity_fulfilled: 2 }, 3, 2],
  ])('%s', (_, more, left, fulfilled) => {
    const cup = item('L1', 'CUP', 3, more)
    expect(withFulfilled({ items: [cup] }, [{ line: cup, left }])).toEqual([{ ...cup, quantity_fulfilled: fulfilled }])
  })

  test('is all of a line of which nothing is said', () => {
    expect(withFulfilled(order, []).map((one) => one.quantity_fulfilled)).toEqual([3, 1])
  })
})
