import { decimal } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import { type Fields, fieldsIn, textIn } from '../../commerce/reading.ts'

/** Amounts are text and a currency. */
export function moneyIn(fields: Fields, name: string): Money {
  const reported = fieldsIn(fields, name)
  const currency = textIn(reported, 'currency')
  return { amount: decimal(textIn(reported, 'value'), digitsOf(currency)), currency }
}

/** What is not reported is nothing. */
export const amountIn = (fields: Fields | null, name: string, currency: string): string =>
  fields?.[name] == null ? decimal('0', digitsOf(currency)) : moneyIn(fields, name).amount

/** Discounts are reported as negative numbers, in ours they are not. */
export const withoutSign = (amount: string): string => amount.replace(/^-/, '')
