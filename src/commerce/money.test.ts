import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedFor } from '../../test/support/chance.ts'
import { fromMinorUnits, toMinorUnits } from './money.ts'

test('each currency counts in its own smallest coin', () => {
  expect(fromMinorUnits(3325, 'EUR').amount).toBe('33.25')
  expect(fromMinorUnits(5, 'EUR').amount).toBe('0.05')
  expect(fromMinorUnits(3325, 'JPY').amount).toBe('3325')
  expect(fromMinorUnits(3325, 'KWD').amount).toBe('3.325')
  expect(fromMinorUnits(-1, 'USD').amount).toBe('-0.01')
})

test('there and back again loses nothing', () => {
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom('EUR', 'JPY', 'KWD'), (units, currency) => {
      expect(toMinorUnits(fromMinorUnits(units, currency))).toBe(units)
    }),
    { seed: seedFor('money') },
  )
})

test('what is finer than a coin is refused, not rounded', () => {
  expect(() => toMinorUnits({ amount: '0.001', currency: 'EUR' })).toThrow(RangeError)
  expect(toMinorUnits({ amount: '1.500000', currency: 'EUR' })).toBe(150)
  expect(() => toMinorUnits({ amount: '1e3', currency: 'EUR' })).toThrow(RangeError)
})
