import { describe, expect, test } from 'vitest'
import type { Format } from '../../commerce/definition/place.ts'
import { valueIn } from '../../commerce/definition/value-in.ts'
import { readerOf, timeThere } from './values.ts'

const record = {
  id: 7,
  buyer: { first: 'Ada', last: 'Lovelace', none: '' },
  rows: [
    { kind: 'goods', sku: 'A', sum: '10.00 EUR' },
    { kind: 'fee', sku: 'F', sum: '1.00 EUR' },
  ],
  cents: 1250,
  text: 'EUR 1,234.50',
  ms: 1_790_000_000_123,
  local: '2026-07-01 12:00:00',
  zoned: '2026-07-01T12:00:00+00:00',
  day: '2026-07-01',
}

describe('a place in its long form', () => {
  test.each([
    [{ at: 'buyer.first' }, 'Ada'],
    [{ template: '{buyer.first} {buyer.last}' }, 'Ada Lovelace'],
    [{ template: '{buyer.none} {buyer.last}' }, 'Lovelace'],
    [{ template: 'No. {buyer.none}' }, null],
    [{ value: 'EUR' }, 'EUR'],
    [{ value: false }, false],
    [{ select: "rows[?kind=='goods'].sku | [0]" }, 'A'],
    [{ at: 'buyer.none', default: 'nobody' }, 'nobody'],
    [{ select: 'missing', default: 0 }, 0],
  ])('%j is found', (place, value) => {
    expect(valueIn(record, place)).toEqual(value)
  })

  test('says how its amount is written, whatever the others are', () => {
    const read = readerOf(record, { money: 'decimal' })
    expect(read.money({ at: 'cents', money: 'minor' }, 'EUR')).toEqual({ amount: '12.50', currency: 'EUR' })
    expect(read.money({ at: 'text', money: 'with_currency' }, 'USD')).toEqual({ amount: '1234.50', currency: 'EUR' })
    expect(read.currencyAt({ at: 'text', money: 'with_currency' })).toBe('EUR')
    expect(read.currencyAt('text')).toBeNull()
    expect(() => read.money({ at: 'cents', money: 'with_currency' }, 'EUR')).toThrow('no amount with a currency')
  })

  test('says how its time is written', () => {
    const read = readerOf(record, { time: 'local', zone: 'Europe/Paris' })
    expect(read.time('local')).toBe('2026-07-01T10:00:00.000000Z')
    expect(read.time('day')).toBe('2026-06-30T22:00:00.000000Z')
    expect(read.time('zoned')).toBe('2026-07-01T12:00:00.000000Z')
    expect(read.time({ at: 'local', zone: 'America/New_York' })).toBe('2026-07-01T16:00:00.000000Z')
    expect(read.time({ at: 'ms', time: 'milliseconds' })).toBe('2026-09-21T14:13:20.123000Z')
    expect(read.time({ at: 'local', time: 'iso' })).toBe('2026-07-01T12:00:00.000000Z')
  })

  test('selects the records of a list', () => {
    expect(readerOf(record).records({ select: "rows[?kind=='goods']" })).toHaveLength(1)
    expect(() => readerOf(record).records({ select: 'cents' })).toThrow('"cents" is no list of records')
  })

  test('that cannot be asked of the record names itself', () => {
    expect(() => readerOf(record).text({ select: 'sum(buyer)' })).toThrow('"sum(buyer)" does not fit the record')
    expect(() => readerOf(record).text({ template: '{nothing}' })).toThrow('has no "{nothing}"')
  })
})

test.each<[Format, unknown]>([
  [{ time: 'unix' }, 1_782_900_000],
  [{ time: 'milliseconds' }, 1_782_900_000_500],
  [{ time: 'local', zone: 'Europe/Paris' }, '2026-07-01 12:00:00'],
  [{}, '2026-07-01T10:00:00Z'],
])('a time is written as %j says', (format, written) => {
  expect(timeThere('2026-07-01T10:00:00.500000Z', format)).toEqual(written)
})
