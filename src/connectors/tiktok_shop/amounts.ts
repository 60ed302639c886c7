import { compareDecimals, decimal, minus, sum } from '../../commerce/decimal.ts'
import { digitsOf, zero } from '../../commerce/money.ts'
import type { OrderFee } from '../../commerce/order.ts'
import type { Fields } from '../../commerce/reading.ts'

/** Amounts are text, without their currency; one that is not told is none. */
export function amountIn(fields: Fields, name: string, currency: string): string {
  const value = fields[name]
  return decimal(value == null || value === '' ? '0' : value, digitsOf(currency))
}

export const sumIn = (records: readonly Fields[], names: readonly string[], currency: string): string =>
  sum(
    records.flatMap((one) => names.map((name) => amountIn(one, name, currency))),
    digitsOf(currency),
  )

/** What buyers pay besides, each in some countries only. */
const feeNames = {
  retail_delivery_fee: 'Retail delivery fee',
  buyer_service_fee: 'Buyer service fee',
  handling_fee: 'Handling fee',
  small_order_fee: 'Small order fee',
  item_insurance_fee: 'Item insurance',
  shipping_insurance_fee: 'Shipping insurance',
  payment_discount_service_fee: 'Payment service fee',
  distance_fee: 'Distance fee',
}

export interface Sums {
  subtotal: string
  discount: string
  shipping: string
  tax: string
  total: string
  fees: OrderFee[]
  /** Null where no tax is told: prices may contain some. */
  taxIncluded: boolean | null
}

/**
 * What an order costs, from what the buyer paid: whether the tax is in the prices, and which fees are in the total, is
 * not written down and differs between countries. What nothing explains is a charge without a name, or a discount.
 */
export function sumsOf(payment: Fields, currency: string): Sums {
  const digits = digitsOf(currency)
  const part = (...names: string[]) => sumIn([payment], names, currency)
  const [subtotal, shipping, tax, total] = [
    part('original_total_product_price'),
    part('shipping_fee'),
    part('tax'),
    part('total_amount'),
  ]
  const product = part('seller_discount', 'platform_discount')
  const rebate = part('payment_platform_discount')
  const rest = minus(minus(total, sum([subtotal, shipping], digits), digits), minus('0', product, digits), digits)
  const fee = (title: string, amount: string): OrderFee => ({
    ...{ remote_id: null, title, amount: { amount, currency }, tax: zero(currency) },
  })
  const isSome = (amount: string) => compareDecimals(amount, '0') !== 0
  const named = Object.entries(feeNames)
    .map(([name, title]) => fee(title, part(name)))
    .filter(({ amount }) => isSome(amount.amount))
  const known = minus(
    sum(
      named.map(({ amount }) => amount.amount),
      digits,
    ),
    rebate,
    digits,
  )
  const isOnTop = compareDecimals(rest, sum([tax, known], digits)) === 0
  const isIncluded = !isOnTop && compareDecimals(rest, known) === 0
  const shared = { subtotal, shipping, tax, total }
  const taxIncluded = isSome(tax) ? isIncluded : null
  if (isOnTop || isIncluded) return { ...shared, discount: sum([product, rebate], digits), fees: named, taxIncluded }
  const odd = minus(rest, tax, digits)
  if (compareDecimals(odd, '0') < 0) return { ...shared, discount: minus(product, odd, digits), fees: [], taxIncluded }
  return { ...shared, discount: product, fees: isSome(odd) ? [fee('Other charges', odd)] : [], taxIncluded }
}
