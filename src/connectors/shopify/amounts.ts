import { compareDecimals, decimal, minus, sum } from '../../commerce/decimal.ts'
import { digitsOf, type Money, zero } from '../../commerce/money.ts'
import type { OrderFee, OrderLine, RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn, maybeFields, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'

/** In the currency of the shop's books; what the buyer saw may be in another. Amounts come as "25.0". */
export function moneyIn(fields: Fields, name: string): Money {
  const money = fieldsIn(fieldsIn(fields, name), 'shopMoney')
  const currency = textIn(money, 'currencyCode')
  return { amount: decimal(money['amount'], digitsOf(currency)), currency }
}

export const maybeMoney = (fields: Fields, name: string, currency: string): Money =>
  fields[name] == null ? zero(currency) : moneyIn(fields, name)

export const taxIn = (fields: Fields): string =>
  sum(recordsIn({ taxLines: [], ...fields }, 'taxLines').map((one) => moneyIn(one, 'priceSet').amount))

/** What the buyer saw and paid, where that is not the currency of the shop. */
export function presentmentOf(order: Fields): RemoteOrder['presentment'] {
  const currency = maybeText(order, 'presentmentCurrencyCode')
  const shown = maybeFields(fieldsIn(order, 'totalPriceSet'), 'presentmentMoney')
  if (currency === null || shown === null || currency === order['currencyCode']) return null
  return { currency, total: decimal(shown['amount'], digitsOf(currency)) }
}

/** Duties, fees of their own, and a tip, where none of the lines is that tip. */
export function feesOf(order: Fields, lines: readonly OrderLine[], currency: string): OrderFee[] {
  const digits = digitsOf(currency)
  const isCharged = (amount: Money) => compareDecimals(amount.amount, '0') > 0
  const duties = maybeMoney(order, 'originalTotalDutiesSet', currency)
  const named = recordsIn({ additionalFees: [], ...order }, 'additionalFees').map((fee) => ({
    remote_id: textIn(fee, 'id'),
    title: textIn(fee, 'name'),
    amount: moneyIn(fee, 'price'),
    tax: { amount: decimal(taxIn(fee), digits), currency },
  }))
  const without = (title: string, amount: Money): OrderFee => ({ remote_id: null, title, amount, tax: zero(currency) })
  const fees = [...(isCharged(duties) && order['dutiesIncluded'] !== true ? [without('Duties', duties)] : []), ...named]
  const tip = maybeMoney(order, 'totalTipReceivedSet', currency)
  const charged = sum([
    ...lines.map(({ total }) => total.amount),
    ...fees.map(({ amount }) => amount.amount),
    maybeMoney(order, 'totalShippingPriceSet', currency).amount,
    order['taxesIncluded'] === true ? '0' : maybeMoney(order, 'totalTaxSet', currency).amount,
  ])
  const left = minus(moneyIn(order, 'totalPriceSet').amount, charged, digits)
  return isCharged(tip) && compareDecimals(left, tip.amount) >= 0 ? [...fees, without('Tip', tip)] : fees
}
