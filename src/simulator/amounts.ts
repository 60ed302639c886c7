/** Money is whole numbers of the smallest coin; only the dialects turn it into text. */

const digits: Readonly<Record<string, number | undefined>> = { JPY: 0, KWD: 3 }

export const digitsOf = (currency: string): number => digits[currency] ?? 2

/** 3325 of EUR is "33.25". */
export function decimal(units: number, currency: string): string {
  const places = digitsOf(currency)
  const text = String(Math.abs(units)).padStart(places + 1, '0')
  const amount = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
  return units < 0 ? `-${amount}` : amount
}

/** "33.25" of EUR is 3325; null for what is no amount. */
export function unitsOf(amount: unknown, currency: string): number | null {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/.exec(String(amount))
  if (!match) return null
  const places = digitsOf(currency)
  const units = Math.round(Number(`${match[2]}.${match[3] ?? '0'}`) * 10 ** places)
  return match[1] ? -units : units
}

export const sumOf = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((sum, one) => sum + of(one), 0)

/** How many of the smallest coin one euro cent buys, for ever. */
const perCent: Readonly<Record<string, number | undefined>> = {
  EUR: 1,
  USD: 1.08,
  GBP: 0.85,
  JPY: 1.62,
  PLN: 4.3,
  SEK: 11.4,
  KWD: 3.32,
  CHF: 0.95,
  CAD: 1.48,
}

export const convert = (cents: number, currency: string): number => Math.round(cents * (perCent[currency] ?? 1))

/** The other way: how many euro cents so much of a currency is. */
export const inCents = (units: number, currency: string): number => Math.round(units / (perCent[currency] ?? 1))
