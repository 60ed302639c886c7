import { compareDecimals, decimal, minus, sum, times } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import type { OrderFee, RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn, idIn, maybeFields, maybeText, numberIn, recordsIn } from '../../commerce/reading.ts'

/** `{ amount: "12.50", formattedAmount: "€12.50" }`; zero where there is none. */
export const amountIn = (fields: Fields, name: string, digits: number): string =>
  decimal(maybeFields(fields, name)?.['amount'] ?? '0', digits)

type Totals = Pick<
  RemoteOrder,
  'subtotal' | 'discount_total' | 'shipping_total' | 'tax_total' | 'fee_total' | 'total' | 'prices_include_tax' | 'fees'
>

/**
 * What one piece cost before discounts. Which of two prices that is shows in the subtotal: goods that are on sale in the shop are
 * counted there with the lower one.
 */
export function unitPricesOf(order: Fields, currency: string): (line: Fields) => string {
  const digits = digitsOf(currency)
  const before = (line: Fields) =>
    line['priceBeforeDiscounts'] == null
      ? amountIn(line, 'price', digits)
      : amountIn(line, 'priceBeforeDiscounts', digits)
  const after = (line: Fields) => amountIn(line, 'price', digits)
  const lines = recordsIn(order, 'lineItems')
  const subtotal = amountIn(fieldsIn(order, 'priceSummary'), 'subtotal', digits)
  const fits = (price: (line: Fields) => string) => compareDecimals(goodsOf(lines, price, digits), subtotal) === 0
  return !fits(before) && fits(after) ? after : before
}

const goodsOf = (lines: readonly Fields[], price: (line: Fields) => string, digits: number): string =>
  sum(
    lines.map((line) => times(price(line), numberIn(line, 'quantity'), digits)),
    digits,
  )

/** Whether the tax is in the prices is what makes the parts up to the total; what nobody explains is named all the same. */
export function totalsOf(order: Fields, currency: string): Totals {
  const digits = digitsOf(currency)
  const money = (amount: string): Money => ({ amount, currency })
  const summary = fieldsIn(order, 'priceSummary')
  const part = (name: string) => amountIn(summary, name, digits)
  const [shipping, tax, discount, total] = [part('shipping'), part('tax'), part('discount'), part('total')]
  const goods = goodsOf(recordsIn(order, 'lineItems'), unitPricesOf(order, currency), digits)
  const fees = feesOf(order, money, digits)
  const charged = sum(
    fees.map(({ amount }) => amount.amount),
    digits,
  )
  const without = minus(sum([goods, shipping, charged], digits), discount, digits)
  const restOf = (included: boolean) => minus(total, included ? without : sum([without, tax], digits), digits)
  const told = order['taxIncludedInPrices'] === true
  const [included = told] = [told, !told].filter((one) => compareDecimals(restOf(one), '0') === 0)
  const rest = restOf(included)
  const isMore = compareDecimals(rest, '0') > 0
  const other = { remote_id: null, title: 'Other charges', amount: money(rest), tax: money(decimal('0', digits)) }
  return {
    subtotal: money(goods),
    discount_total: money(isMore ? discount : minus(discount, rest, digits)),
    shipping_total: money(shipping),
    tax_total: money(tax),
    fee_total: money(isMore ? sum([charged, rest], digits) : charged),
    total: money(total),
    prices_include_tax: included,
    fees: isMore ? [...fees, other] : fees,
  }
}

function feesOf(order: Fields, money: (amount: string) => Money, digits: number): OrderFee[] {
  const fees = order['additionalFees'] == null ? [] : recordsIn(order, 'additionalFees')
  return fees.map((fee) => ({
    remote_id: fee['id'] == null ? null : idIn(fee, 'id'),
    title: maybeText(fee, 'name') ?? 'Fee',
    amount: money(amountIn(fee, 'price', digits)),
    tax: money(taxOf(fee, digits)),
  }))
}

/** Two generations of one field. */
export const taxOf = (fields: Fields, digits: number): string => {
  const [now, before] = [maybeFields(fields, 'taxInfo'), maybeFields(fields, 'taxDetails')]
  return now ? amountIn(now, 'taxAmount', digits) : amountIn(before ?? {}, 'totalTax', digits)
}
