import { describe, expect, test } from 'vitest'
import { drawLots } from '../../../../test/support/chance.ts'
import { facts, is, order, row } from '../../../../test/support/samples/prestashop-order.ts'
import { whatDoesNotAddUp } from '../../../../test/support/totals.ts'
import { toOrder } from '../translate-order.ts'
import { lineTotals } from './amounts.ts'

/** Amounts in millionths, so that the shop's own reckoning is exact here. */
const text = (micros: number): string => (micros / 1e6).toFixed(6)
const toCents = (micros: number): number => Math.round(micros / 10_000) * 10_000
const total = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

type RoundType = 'item' | 'line' | 'total'

interface Bought {
  unit: number
  quantity: number
}

/** An order as the shop stores it: goods by its round type, and the total from lines that are rounded by the piece at most. */
function stored(
  lines: readonly Bought[],
  { by, shipping = 5_000_000, discount = 0 }: { by: RoundType; shipping?: number; discount?: number },
) {
  const priced = lines.map(({ unit, quantity }) => (by === 'item' ? toCents(unit) : unit) * quantity)
  const ofLines = by === 'line' ? priced.map(toCents) : priced
  return {
    ...order,
    total_products_wt: text(toCents(total(ofLines))),
    total_discounts_tax_incl: text(discount),
    total_shipping_tax_incl: text(shipping),
    total_paid_tax_incl: text(toCents(total(priced) - discount + shipping)),
    associations: {
      order_rows: lines.map(({ unit, quantity }, at) =>
        row(String(at + 1), { product_quantity: String(quantity), unit_price_tax_incl: text(unit) }),
      ),
    },
    details: ofLines.map((amount, at) => ({
      id: String(at + 1),
      ...{ total_price_tax_incl: text(amount), total_price_tax_excl: text(amount) },
    })),
  }
}

describe('an order of a shop that rounds', () => {
  test('by the line says what is between its lines and its total', () => {
    const told = toOrder(
      stored(
        [
          { unit: 10_004_900, quantity: 1 },
          { unit: 3_334_967, quantity: 3 },
        ],
        { by: 'line' },
      ),
      facts,
    )
    expect(told).toMatchObject({ subtotal: is('20.00'), total: is('25.01'), fee_total: is('0.01') })
    expect(told.fees).toEqual([{ remote_id: null, title: 'Rounding', amount: is('0.01'), tax: is('0.00') }])
    expect(whatDoesNotAddUp(told)).toEqual([])
  })

  test('by the line says as well what is too much in its lines', () => {
    const told = toOrder(
      stored(
        [
          { unit: 10_005_100, quantity: 1 },
          { unit: 10_005_100, quantity: 1 },
        ],
        { by: 'line' },
      ),
      facts,
    )
    expect([told.fee_total, told.fees.map(({ title }) => title)]).toEqual([is('-0.01'), ['Rounding']])
    expect(whatDoesNotAddUp(told)).toEqual([])
  })

  test('in the end has lines that make up its goods, and no rounding', () => {
    const told = toOrder(stored(Array(3).fill({ unit: 10_004_000, quantity: 1 }), { by: 'total' }), facts)
    expect([told.subtotal, told.fees]).toEqual([is('30.01'), []])
    expect(told.lines.map((line) => line.total.amount)).toEqual(['10.01', '10.00', '10.00'])
    expect(whatDoesNotAddUp(told)).toEqual([])
  })

  test.each(['item', 'line', 'total'] as const)('by the %s adds up, whatever is bought', (by) => {
    const lots = drawLots(`prestashop rounds by the ${by}`)
    for (let n = 0; n < 200; n++) {
      const lines = Array.from({ length: 1 + lots.below(9) }, () => ({
        unit: 1 + lots.below(90_000_000),
        quantity: 1 + lots.below(12),
      }))
      const shipping = lots.below(2000) * 10_000
      const discount = lots.below(50) * 10_000
      expect(whatDoesNotAddUp(toOrder(stored(lines, { by, shipping, discount }), facts))).toEqual([])
    }
  })
})

test('a gift of a voucher is among the goods that the voucher takes off', () => {
  const bought = stored(
    [
      { unit: 20_000_000, quantity: 1 },
      { unit: 5_000_000, quantity: 1 },
    ],
    { by: 'line', discount: 5_000_000 },
  )
  const told = toOrder({ ...bought, total_products_wt: '20.000000' }, facts)
  expect([told.subtotal, told.fees]).toEqual([is('25.00'), []])
  expect(whatDoesNotAddUp(told)).toEqual([])
})

test('what is more than rounding stays as the shop has it', () => {
  const bought = stored([{ unit: 20_000_000, quantity: 1 }], { by: 'line' })
  const told = toOrder({ ...bought, total_paid_tax_incl: '32.000000' }, facts)
  expect([told.subtotal, told.total, told.fees]).toEqual([is('20.00'), is('32.00'), []])
})

test('lines are in whole coins of their currency, and nobody bears what rounding does not explain', () => {
  expect(lineTotals(['100.4', '100.4', '100.4'], '301', 'JPY')).toEqual(['101', '100', '100'])
  expect(lineTotals(['1.0004', '1.0004'], '2.001', 'KWD')).toEqual(['1.001', '1.000'])
  expect(lineTotals(['10.006', '10.006'], '20.01', 'EUR')).toEqual(['10.00', '10.01'])
  expect(lineTotals(['10.00', '10.00'], '20.01', 'EUR')).toEqual(['10.00', '10.00'])
})
