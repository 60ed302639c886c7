import { describe, expect, test } from 'vitest'
import { orderLine } from '../../../test/support/remote-order.ts'
import { textsOf } from '../../lib/fault.ts'
import { allOf, isAllSent, isOff, leftToSend, pack } from './left-to-send.ts'

const cups = orderLine({ remote_id: 'L1', sku: 'CUP', quantity: 3 })
const jug = orderLine({ remote_id: 'L2', sku: 'JUG', quantity: 1 })
const moreCups = orderLine({ remote_id: 'L3', sku: 'CUP', quantity: 2 })
const nameless = orderLine({ remote_id: 'L4', sku: null, quantity: 1 })
const lines = [cups, jug, moreCups]
/** Sold by length. */
const rope = orderLine({ remote_id: 'L5', sku: 'ROPE', quantity: 0.3 })
/** Paid for as one; its parts are what leaves. */
const set = orderLine({ remote_id: 'L6', sku: 'SET', quantity: 1, requires_shipping: false })
const of = (id: string, quantity: number) => ({ order_line_remote_id: id, quantity })

describe('of an order is left to send', () => {
  test.each([
    ['everything, before any parcel', lines, [], [3, 1, 2]],
    ['what is in no parcel', lines, [[of('L1', 2)], [of('L2', 1)]], [1, 0, 2]],
    ['nothing of a line that is sent more than once over', lines, [[of('L2', 5)]], [3, 0, 2]],
    ['what is named by articles, line by line', lines, [[{ sku: 'CUP', quantity: 4 }]], [0, 1, 1]],
    [
      'all, where a parcel names what the order has not',
      lines,
      [[of('L9', 1), { sku: 'MUG', quantity: 1 }]],
      [3, 1, 2],
    ],
    ['all, where a parcel names nothing', [nameless], [[{ sku: null, quantity: 1 }, { quantity: 1 }]], [1]],
    ['no more than is not cancelled', [{ ...cups, quantity_cancelled: 1 }], [], [2]],
    ['nothing where all is cancelled', [{ ...cups, quantity_cancelled: 3 }], [[of('L1', 1)]], [0]],
    ['all of what was only marked as sent', [{ ...cups, quantity_fulfilled: 3 }], [], [3]],
    [
      'what the shop has not marked as sent, once there is a parcel',
      [{ ...cups, quantity_fulfilled: 2 }],
      [[of('L1', 1)]],
      [1],
    ],
    [
      'what no parcel holds, where the shop has marked less',
      [{ ...cups, quantity_fulfilled: 1 }],
      [[of('L1', 2)]],
      [1],
    ],
    ['so much of it, where goods go by length', [rope], [[of('L5', 0.1)]], [0.2]],
  ])('%s', (_, ordered, parcels, left) => {
    expect(leftToSend(ordered, parcels).map((one) => one.left)).toEqual(left)
  })
})

describe('a parcel takes', () => {
  const left = leftToSend(lines, [[of('L1', 1)]])

  test('the lines that it names, and leaves the rest', () => {
    const { contents, rest, errors } = pack(left, [of('L1', 1), { sku: 'JUG', quantity: 1 }], 'items')
    expect(contents).toEqual([
      { sku: 'CUP', order_line_remote_id: 'L1', quantity: 1 },
      { sku: 'JUG', order_line_remote_id: 'L2', quantity: 1 },
    ])
    expect(rest.map((one) => one.left)).toEqual([1, 0, 2])
    expect(errors).toEqual({})
    // Whoever packs again begins with the same.
    expect(left.map((one) => one.left)).toEqual([2, 1, 2])
  })

  test('an article from as many lines as it takes, and from no more', () => {
    expect(pack(left, [{ sku: 'CUP', quantity: 3 }], 'items').contents).toEqual([
      { sku: 'CUP', order_line_remote_id: 'L1', quantity: 2 },
      { sku: 'CUP', order_line_remote_id: 'L3', quantity: 1 },
    ])
    expect(pack(left, [{ sku: 'CUP', quantity: 2 }], 'items').contents).toHaveLength(1)
  })

  test('what it names twice from what is left of it', () => {
    const { contents, errors } = pack(left, [of('L1', 2), of('L1', 1), { sku: 'CUP', quantity: 3 }], 'items')
    expect(contents).toEqual([{ sku: 'CUP', order_line_remote_id: 'L1', quantity: 2 }])
    expect(textsOf(errors)).toEqual({
      'items.1.quantity': ['The items.1.quantity field is more than is left to ship: none.'],
      'items.2.quantity': ['The items.2.quantity field is more than is left to ship: only 2.'],
    })
  })

  test('nothing that is not in the order', () => {
    const { contents, errors } = pack(left, [of('L9', 1), { sku: 'MUG', quantity: 1 }, { quantity: 1 }], 'lines')
    expect(contents).toEqual([])
    expect(textsOf(errors)).toEqual({
      'lines.0.order_line_remote_id': ['The selected lines.0.order_line_remote_id is not in the order.'],
      'lines.1.sku': ['The selected lines.1.sku is not in the order.'],
      'lines.2.sku': ['The selected lines.2.sku is not in the order.'],
    })
  })

  test('everything that is left', () => {
    expect(allOf(leftToSend(lines, [[of('L2', 1)]]))).toEqual([
      { sku: 'CUP', order_line_remote_id: 'L1', quantity: 3 },
      { sku: 'CUP', order_line_remote_id: 'L3', quantity: 2 },
    ])
  })
})

test('a part of a metre leaves exactly the rest of it', () => {
  const { contents, rest, errors } = pack(leftToSend([rope], [[of('L5', 0.1)]]), [of('L5', 0.2)], 'items')
  expect([contents, rest.map((one) => one.left), errors]).toEqual([
    [{ sku: 'ROPE', order_line_remote_id: 'L5', quantity: 0.2 }],
    [0],
    {},
  ])
})

test('what is only paid for is not waited for, unless there is nothing else', () => {
  const left = leftToSend([set, jug], [])
  expect(allOf(left)).toEqual([{ sku: 'JUG', order_line_remote_id: 'L2', quantity: 1 }])
  expect(isAllSent(left)).toBe(false)
  expect(isAllSent(leftToSend([set, jug], [[of('L2', 1)]]))).toBe(true)
  expect([isAllSent(leftToSend([set], [])), allOf(leftToSend([set], [])).length]).toEqual([false, 1])
})

test('a parcel that was called off or got lost does not count, in whatever letters', () => {
  const words = ['cancelled', 'FAILED', 'shipped', 'not_failed', 'failed_once']
  expect(words.filter((status) => isOff({ status }))).toEqual(['cancelled', 'FAILED'])
})
