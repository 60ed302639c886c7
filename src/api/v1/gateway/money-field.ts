import { Type } from 'typebox'
import { logged, text } from '../../../lib/validation/fields.ts'

/** A decimal number, best as text; a JSON number is taken as its shortest spelling. */
export const money = (description?: string) =>
  Type.Union(
    [text({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$', examples: ['33.25'] }), Type.Number({ minimum: 0, maximum: 1e12 })],
    description === undefined ? {} : { description },
  )

export const currency = () => logged(text({ pattern: '^[A-Z]{3}$', description: 'ISO 4217', examples: ['EUR'] }))

export function toDecimal(amount: string | number): string {
  if (typeof amount === 'string') return amount
  // Below 1e-6 a number would print with an exponent, and no currency counts in that.
  return String(Math.round(amount * 1e6) / 1e6)
}
