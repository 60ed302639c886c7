import { Unreadable } from '../lib/words/unreadable.ts'
import { say } from './words/say.ts'

/** Reckoning with decimal numbers in text, exactly. Six places are kept, which is more than any currency has. */

const places = 6
const one = 10n ** BigInt(places)

function scaled(text: string): bigint {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text)
  const fraction = match?.[3] ?? ''
  if (!match || /[1-9]/.test(fraction.slice(places))) throw new Unreadable(say('no_amount', { value: text }))
  const value = BigInt(match[2] ?? 0) * one + BigInt(fraction.slice(0, places).padEnd(places, '0'))
  return match[1] ? -value : value
}

/** With as many places as it needs, but no fewer than `digits`. */
function written(value: bigint, digits: number): string {
  const size = value < 0n ? -value : value
  const fraction = String(size % one).padStart(places, '0')
  const kept = fraction.replace(/0+$/, '').padEnd(digits, '0')
  return `${value < 0n ? '-' : ''}${size / one}${kept === '' ? '' : `.${kept}`}`
}

/** What stands there in our form already, as most amounts do. */
const isWritten = (text: string): boolean => /^(?:0|[1-9]\d{0,14})\.\d\d$/.test(text)

/**
 * An amount as platforms report it, in text or as a JSON number, in our form. A number whose shortest form has an exponent
 * is beyond anything that is sold.
 */
export function decimal(value: unknown, digits = 2): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Unreadable(say('amount_missing'))
  if (digits === 2 && typeof value === 'string' && isWritten(value)) return value
  return written(scaled(String(value).trim()), digits)
}

export const sum = (amounts: readonly string[], digits = 2): string =>
  written(
    amounts.reduce((total, amount) => total + scaled(amount), 0n),
    digits,
  )

export const minus = (from: string, amount: string, digits = 2): string =>
  written(scaled(from) - scaled(amount), digits)

/** So many of it, or so much where that is no whole number. What is finer than what is kept is rounded. */
export const times = (amount: string, count: number, digits = 2): string =>
  written(divided(scaled(amount) * scaled(String(count)), one), digits)

/** The share of one among `count`, rounded half away from zero to `digits` places. */
export function share(amount: string, count: number, digits = 2): string {
  if (count === 0) throw new TypeError('Nothing can be shared among none.')
  const step = 10n ** BigInt(places - digits)
  return written(divided(scaled(amount) * one, scaled(String(count)) * step) * step, digits)
}

/** The half is rounded away from zero. */
function divided(value: bigint, by: bigint): bigint {
  const size = ((value < 0n ? -value : value) * 2n) / by
  const whole = (size + 1n) / 2n
  return value < 0n ? -whole : whole
}

/** To `digits` places, half away from zero. */
export const rounded = (amount: string, digits = 2): string => share(amount, 1, digits)

/** Below, at or above: as a comparing function says it. */
export const compareDecimals = (a: string, b: string): number => {
  const difference = scaled(a) - scaled(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
