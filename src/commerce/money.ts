import { type Static, Type } from 'typebox'

/** An amount as a decimal number in text, and an ISO 4217 code. Floats never hold money: 0.1 + 0.2 is not 0.3. */
export const moneySchema = Type.Object({
  amount: Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,6})?$', examples: ['33.25'] }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
})
export type Money = Static<typeof moneySchema>

/** Currencies that do not count in hundredths. */
const minorDigits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((c) => [c, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((c) => [c, 3])),
}

export const digitsOf = (currency: string): number => minorDigits[currency] ?? 2

export const zero = (currency: string): Money => fromMinorUnits(0, currency)

/** What most platforms with integers mean: 3325 of EUR is 33.25, 3325 of JPY is 3325. */
export function fromMinorUnits(units: number, currency: string): Money {
  if (!Number.isSafeInteger(units)) throw new RangeError('An amount in minor units is a whole number.')
  const digits = digitsOf(currency)
  const text = String(Math.abs(units)).padStart(digits + 1, '0')
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return { amount: units < 0 ? `-${amount}` : amount, currency }
}

/** The other way round; what is finer than the currency's smallest coin is refused rather than rounded. */
export function toMinorUnits({ amount, currency }: Money): number {
  const digits = digitsOf(currency)
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(amount)
  const fraction = (match?.[3] ?? '').padEnd(digits, '0')
  if (!match || /[1-9]/.test(fraction.slice(digits))) throw new RangeError(`"${amount}" is no amount of ${currency}.`)
  const units = Number(`${match[2]}${fraction.slice(0, digits)}`)
  if (!Number.isSafeInteger(units)) throw new RangeError(`"${amount}" is too large.`)
  return match[1] ? -units : units
}
