import { expect, test } from 'vitest'
import { textsOf } from '../../lib/fault.ts'
import { exactQuantity, fractionErrors, sumQuantities } from './quantities.ts'

test('sums and differences of fractions are exact', () => {
  expect([0.1 + 0.2, 0.3 - 0.1, 2.5, 7, 0.0001].map(exactQuantity)).toEqual([0.3, 0.2, 2.5, 7, 0.0001])
  expect(sumQuantities([{ quantity: 0.1 }, { quantity: 0.7 }])).toBe(0.8)
})

test('parts of a piece are for platforms that sell by weight or length', () => {
  const parts = [{ quantity: 1 }, { quantity: 0.5 }]
  expect(textsOf(fractionErrors(parts, { field: 'items', fractions: false }))).toEqual({
    'items.1.quantity': ['The items.1.quantity field must be an integer.'],
  })
  expect(fractionErrors(parts, { field: 'items', fractions: true })).toEqual({})
  expect(fractionErrors(null, { field: 'items', fractions: false })).toEqual({})
})
