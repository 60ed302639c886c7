import { decimal } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import { type Fields, fieldsIn, textIn } from '../../commerce/reading.ts'

/** Decimal numbers, in text or not. */
export function moneyIn(fields: Fields, name: string): Money {
  const reported = fieldsIn(fields, name)
  const currency = textIn(reported, 'currency')
  return { amount: decimal(reported['value'], digitsOf(currency)), currency }
}

/** What is not reported is nothing. */
export const amountIn = (fields: Fields, name: string, currency: string): string =>
  fields[name] == null ? decimal('0', digitsOf(currency)) : moneyIn(fields, name).amount
