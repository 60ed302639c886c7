import { decimal } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import { type Fields, fieldsIn, numberIn, textIn } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

/** A whole number and what it is to be divided by, which is a one with zeros. */
export function moneyIn(fields: Fields, name: string): Money {
  const reported = fieldsIn(fields, name)
  const currency = textIn(reported, 'currency_code')
  const divisor = String(numberIn(reported, 'divisor'))
  if (!/^10{0,6}$/.test(divisor)) throw new Unreadable(say('no_amount', { value: divisor }))
  const units = numberIn(reported, 'amount')
  const places = divisor.length - 1
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const amount = `${units < 0 ? '-' : ''}${whole}.${digits.slice(digits.length - places)}0`
  return { amount: decimal(amount, digitsOf(currency)), currency }
}

/** What is not reported is nothing. */
export const amountIn = (fields: Fields, name: string, currency: string): string =>
  fields[name] == null ? decimal('0', digitsOf(currency)) : moneyIn(fields, name).amount
