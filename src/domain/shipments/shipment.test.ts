import { expect, test } from 'vitest'
import { orderStatusOf, shipmentStates } from './shipment.ts'

test('statuses of parcels are spelt as those of orders are', () => {
  expect(shipmentStates).toEqual(['PENDING', 'SHIPPED', 'IN_TRANSIT', 'DELIVERED', 'FAILED', 'CANCELLED'])
})

test.each([
  [[], null],
  [['CANCELLED', 'FAILED'], null],
  [['PENDING'], null],
  [['PENDING', 'DELIVERED'], 'DELIVERED'],
  [['DELIVERED', 'IN_TRANSIT'], 'SHIPPED'],
  [['DELIVERED', 'DELIVERED'], 'DELIVERED'],
  [['DELIVERED', 'CANCELLED'], 'DELIVERED'],
])('parcels that are %j make the order %s', (statuses, status) => {
  expect(orderStatusOf(statuses.map((one) => ({ status: one })))).toBe(status)
})
