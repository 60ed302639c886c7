import { expect, test } from 'vitest'
import { type OrderWords, wantedOrders } from './wanted-orders.ts'

const shipped = {
  status: 'completed',
  payment_status: 'paid',
  fulfillment_status: 'fulfilled',
  remote_status: 'Shipped',
} as const
const unpaid = {
  status: 'open',
  payment_status: 'pending',
  fulfillment_status: 'unfulfilled',
  remote_status: 'Unpaid',
} as const
const orders = new Map<string, OrderWords>([
  ['1', unpaid],
  ['2', shipped],
  ['3', { ...shipped, remote_status: 'Delivered' }],
])

function translate(id: string) {
  const order = orders.get(id)
  if (!order) throw new TypeError('Unknown status.')
  return order
}
const wanted = (...statuses: string[]) => wantedOrders(['1', '2', '3', 'odd'], statuses, translate)

test.each([
  ['ours', ['completed'], ['2', '3', 'odd']],
  ['ours for the money', ['pending'], ['1', 'odd']],
  ['ours for the goods', ['fulfilled'], ['2', '3', 'odd']],
  ['theirs, in whatever letters', ['unPaid'], ['1', 'odd']],
  ['several', ['Delivered', 'unpaid'], ['1', '3', 'odd']],
  ['one that none is in', ['cancelled'], ['odd']],
])('orders are found by a word: %s', (_, statuses, ids) => {
  expect(wanted(...statuses)).toEqual(ids)
})

test('all of them, where no word is given', () => {
  expect(wanted()).toEqual(['1', '2', '3', 'odd'])
})
