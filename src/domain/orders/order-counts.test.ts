import { expect, test } from 'vitest'
import { countOrder, type OrderPlace } from './order-counts.ts'

const open: OrderPlace = { id: 7, status: 'PENDING', acknowledged: false, sandbox: false, deleted: false }
const acknowledged: OrderPlace = { ...open, status: 'ACKNOWLEDGED', acknowledged: true }
const deleted: OrderPlace = { ...open, deleted: true }

test.each([
  ['is new', null, open, ['+orders', '+orders:open', '+orders:PENDING']],
  [
    'is new and for trying out',
    null,
    { ...open, sandbox: true },
    ['+orders', '+orders:open', '+orders:PENDING', '+orders:sandbox'],
  ],
  ['stays as it is', open, open, []],
  [
    'is acknowledged',
    open,
    acknowledged,
    ['-orders:open', '-orders:PENDING', '+orders:acknowledged', '+orders:ACKNOWLEDGED'],
  ],
  [
    'is sent',
    acknowledged,
    { ...acknowledged, status: 'SHIPPED' as const },
    ['-orders:ACKNOWLEDGED', '+orders:SHIPPED'],
  ],
  ['is deleted', open, deleted, ['-orders', '-orders:open', '-orders:PENDING']],
  ['comes back', deleted, open, ['+orders', '+orders:open', '+orders:PENDING']],
  ['was never there', null, deleted, []],
])('an order that %s counts where it goes and no longer where it was', (_, before, after, counted) => {
  const changes = countOrder(before, after)
  expect(changes.map(({ kind, by }) => `${by > 0 ? '+' : '-'}${kind}`)).toEqual(counted)
  expect(changes.every(({ id, by }) => id === 7 && Math.abs(by) === 1)).toBe(true)
})
