import { compareDecimals, minus, sum } from '../../src/commerce/decimal.ts'
import type { RemoteOrder } from '../../src/commerce/order.ts'

/**
 * What of an order's price does not add up, in words; nothing, if it does. Its parts make its total, by the sums that the
 * platform tells as well as line by line. Where prices contain the tax it is not added again.
 */
export function whatDoesNotAddUp(order: RemoteOrder): string[] {
  const { lines, fees, total } = order
  const tax = order.prices_include_tax ? '0' : order.tax_total.amount
  const beside = [order.shipping_total.amount, order.fee_total.amount, tax]
  const discounts = sum(lines.map(({ discount }) => discount.amount))
  const goods = sum(lines.map((line) => line.total.amount))
  const sums: Readonly<Record<string, readonly [parts: string, whole: string]>> = {
    'goods − discounts + shipping + fees + tax = total': [
      minus(sum([order.subtotal.amount, ...beside]), order.discount_total.amount),
      total.amount,
    ],
    'lines − discounts of the whole order + shipping + fees + tax = total': [
      minus(sum([goods, ...beside]), minus(order.discount_total.amount, discounts)),
      total.amount,
    ],
    'fees = sum of fees': [sum(fees.map(({ amount }) => amount.amount)), order.fee_total.amount],
  }
  return Object.entries(sums).flatMap(([name, [parts, whole]]) =>
    compareDecimals(parts, whole) === 0 ? [] : [`${order.number}: ${name}: ${parts}, not ${whole}`],
  )
}
