import { digitsOf, type Money } from '../../commerce/money.ts'
import type { Fields } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

/** As fine as our amounts can be. */
const finest = 6

/**
 * Amounts are numbers in whole units that the server reckons with twenty places and rounds only where it shows them: a
 * tax of 1.9957983193277311 is reported as it is. Sums are rounded to the coin here, prices of a single piece as late as may be.
 */
export function moneyIn(fields: Fields, name: string, currency: string, places = digitsOf(currency)): Money {
  return { amount: rounded(fields[name], places, digitsOf(currency)), currency }
}

export const priceIn = (fields: Fields, name: string, currency: string): Money =>
  moneyIn(fields, name, currency, finest)

/** Half away from zero, to `places`; zeros behind the point that are not needed for `digits` are left out. */
export function rounded(value: unknown, places: number, digits: number): string {
  const text = textOf(value)
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text)
  if (!match) throw new Unreadable(say('no_amount', { value: text }))
  const [, sign = '', whole = '0', fraction = ''] = match
  const kept = BigInt(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`)
  const size = String(kept + (Number(fraction[places] ?? 0) >= 5 ? 1n : 0n)).padStart(places + 1, '0')
  const behind = size
    .slice(size.length - places)
    .replace(/0+$/, '')
    .padEnd(digits, '0')
  const amount = `${size.slice(0, size.length - places)}${behind === '' ? '' : `.${behind}`}`
  return sign !== '' && /[1-9]/.test(amount) ? `-${amount}` : amount
}

/** Numbers that are tiny are written with an exponent. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Unreadable(say('amount_missing'))
  return /e/i.test(String(value)) ? value.toFixed(12) : String(value)
}
