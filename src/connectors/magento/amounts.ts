import { decimal } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import type { Fields } from '../../commerce/reading.ts'

/**
 * Amounts come as JSON numbers. The platform keeps four places, but older versions of PHP write 165.2 as
 * 165.19999999999999: so they are read to the fourth place, which is exact again.
 */
export function amountIn(fields: Fields, name: string, currency: string): string {
  const reported = fields[name]
  if (typeof reported !== 'number' || !Number.isFinite(reported))
    throw new TypeError(`The shop's record has no "${name}".`)
  return decimal(reported.toFixed(4), digitsOf(currency))
}

/** What was never touched is left out there. */
export const maybeAmount = (fields: Fields, name: string, currency: string): string =>
  fields[name] == null ? decimal('0', digitsOf(currency)) : amountIn(fields, name, currency)

export const moneyIn = (fields: Fields, name: string, currency: string): Money => ({
  amount: maybeAmount(fields, name, currency),
  currency,
})
