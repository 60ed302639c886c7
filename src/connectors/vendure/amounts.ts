import type { Money } from '../../commerce/money.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import type { VendureFacts } from './settings.ts'

const defaultPrecision = 2

/** Amounts are whole numbers with as many places as the server's money strategy says, whatever the currency. */
export function unitsToMoney(units: number, currency: string, { settings }: VendureFacts): Money {
  if (!Number.isSafeInteger(units)) throw new Unreadable(say('no_amount', { value: String(units) }))
  const places = settings.money_precision ?? defaultPrecision
  const text = String(Math.abs(units)).padStart(places + 1, '0')
  const amount = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
  return { amount: units < 0 ? `-${amount}` : amount, currency }
}

/** The other way round; null for what is finer than the server can store. */
export function unitsOf(amount: string, { settings }: VendureFacts): number | null {
  const places = settings.money_precision ?? defaultPrecision
  const [whole = '', fraction = ''] = amount.split('.')
  if (/[1-9]/.test(fraction.slice(places))) return null
  const units = Number(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`)
  return Number.isSafeInteger(units) ? units : null
}
