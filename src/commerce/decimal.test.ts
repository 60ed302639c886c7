import { describe, expect, test } from 'vitest'
import { compareDecimals, decimal, minus, share, sum, times } from './decimal.ts'

describe('decimal numbers in text', () => {
  test('come from text and from numbers, with the places of the currency', () => {
    expect(['1', '1.5', 34.47, '-0.10', '7.123456'].map((value) => decimal(value))).toEqual([
      '1.00',
      '1.50',
      '34.47',
      '-0.10',
      '7.123456',
    ])
    expect(decimal('1200', 0)).toBe('1200')
    for (const value of ['', '1,5', 'NaN', 1e21, null, undefined, {}, '1.1234567'])
      expect(() => decimal(value)).toThrow(TypeError)
    expect(decimal('1.12345600')).toBe('1.123456')
    expect(['0.00', '12.50', '007.00', '-0.00', ' 3.00', '00.10'].map((value) => decimal(value))).toEqual([
      '0.00',
      '12.50',
      '7.00',
      '0.00',
      '3.00',
      '0.10',
    ])
  })

  test('are added, taken away and multiplied exactly', () => {
    expect(sum(['0.1', '0.2'])).toBe('0.30')
    expect(sum([])).toBe('0.00')
    expect(minus('1', '1.01')).toBe('-0.01')
    expect(times('19.99', 3)).toBe('59.97')
    expect([times('19.99', 0.3), times('-0.000001', 0.5), times('1', 0)]).toEqual(['5.997', '-0.000001', '0.00'])
    expect(compareDecimals('2', '10')).toBe(-1)
    expect(compareDecimals('2.0', '2')).toBe(0)
  })

  test('are shared with the half rounded away from zero', () => {
    expect(share('10', 3)).toBe('3.33')
    expect(share('0.05', 2)).toBe('0.03')
    expect(share('-0.05', 2)).toBe('-0.03')
    expect([share('10', 2.5), share('-1', 0.3)]).toEqual(['4.00', '-3.33'])
    expect(() => share('1', 0)).toThrow(TypeError)
  })
})
