import { compareDecimals, decimal, minus, sum } from '../../commerce/decimal.ts'
import { digitsOf, type Money, zero } from '../../commerce/money.ts'
import type { OrderFee, RemoteOrder } from '../../commerce/order.ts'
import { type Fields, isFields, maybeFields, maybeText } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

/**
 * Amounts come as JSON numbers. The platform keeps four places, but older versions of PHP write 165.2 as
 * 165.19999999999999: so they are read to the fourth place, which is exact again.
 */
export function amountIn(fields: Fields, name: string, currency: string): string {
  const reported = fields[name]
  if (typeof reported !== 'number' || !Number.isFinite(reported)) throw new Unreadable(say('lacks_field', { name }))
  return decimal(reported.toFixed(4), digitsOf(currency))
}

/** What was never touched is left out there. */
export const maybeAmount = (fields: Fields, name: string, currency: string): string =>
  fields[name] == null ? decimal('0', digitsOf(currency)) : amountIn(fields, name, currency)

export const moneyIn = (fields: Fields, name: string, currency: string): Money => ({
  amount: maybeAmount(fields, name, currency),
  currency,
})

type Totals = Pick<
  RemoteOrder,
  'subtotal' | 'discount_total' | 'shipping_total' | 'tax_total' | 'fee_total' | 'total' | 'fees'
>

/**
 * What the order costs, and what that is made of; everything but the tax is without tax. Modules add charges that stand
 * nowhere but in the total: whatever it has beyond its known parts is a fee as well.
 */
export function totalsOf(order: Fields, billed: readonly Fields[], currency: string): Totals {
  const digits = digitsOf(currency)
  const read = (name: string) => maybeAmount(order, name, currency)
  const money = (amount: string): Money => ({ amount, currency })
  const ofItems = (name: string) =>
    sum(
      billed.map((item) => maybeAmount(item, name, currency)),
      digits,
    )
  const subtotal = ofItems('row_total')
  // Reported as a negative amount, with the tax that is not paid because of it.
  const compensated = sum(
    [read('discount_tax_compensation_amount'), read('shipping_discount_tax_compensation_amount')],
    digits,
  )
  const discount = minus(minus('0', read('discount_amount'), digits), compensated, digits)
  const total = amountIn(order, 'grand_total', currency)
  const known: Charge[] = [
    ['Fixed product tax', ofItems('weee_tax_applied_row_amount')],
    ...chargesIn(maybeFields(order, 'extension_attributes') ?? {}, currency),
  ]
  const charges = sum(
    known.map(([, amount]) => amount),
    digits,
  )
  const parts = sum([subtotal, read('shipping_amount'), read('tax_amount'), charges], digits)
  const fees = [...known, ['Other charges', minus(total, minus(parts, discount, digits), digits)] as const]
    .filter(([, amount]) => compareDecimals(amount, '0') !== 0)
    .map(([title, amount]): OrderFee => ({ remote_id: null, title, amount: money(amount), tax: zero(currency) }))
  return {
    subtotal: money(subtotal),
    discount_total: money(discount),
    shipping_total: money(read('shipping_amount')),
    tax_total: money(read('tax_amount')),
    fee_total: money(
      sum(
        fees.map(({ amount }) => amount.amount),
        digits,
      ),
    ),
    total: money(total),
    fees,
  }
}

type Charge = readonly [title: string, amount: string]

/** What Adobe Commerce charges besides, and what was paid with its own means before the total was reckoned. */
const surcharges = {
  gw_price: 'Gift wrapping',
  gw_items_price: 'Gift wrapping of goods',
  gw_card_price: 'Printed card',
}
const credits = {
  gift_cards_amount: 'Gift card',
  customer_balance_amount: 'Store credit',
  reward_currency_amount: 'Reward points',
}

function chargesIn(attributes: Fields, currency: string): Charge[] {
  const digits = digitsOf(currency)
  // Some of them come as text.
  const read = (name: string) => maybeAmount({ [name]: Number(attributes[name] ?? 0) }, name, currency)
  const custom = attributes['custom_fees']
  return [
    ...Object.entries(surcharges).map(([name, title]): Charge => [title, read(name)]),
    ...(Array.isArray(custom) ? custom.filter(isFields) : []).map(
      (fee): Charge => [maybeText(fee, 'custom_fee_label') ?? 'Fee', maybeAmount(fee, 'custom_fee_amount', currency)],
    ),
    ...Object.entries(credits).map(([name, title]): Charge => [title, minus('0', read(name), digits)]),
  ]
}
