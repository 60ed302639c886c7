import { decimal } from '../../commerce/decimal.ts'
import { type Format, type Place, placeName } from '../../commerce/definition/place.ts'
import type { sentMoney } from '../../commerce/definition/requests.ts'
import { valueIn } from '../../commerce/definition/value-in.ts'
import { fromMinorUnits, type Money, toMinorUnits } from '../../commerce/money.ts'
import { type Fields, isFields, timeOf, timeOfUnix } from '../../commerce/reading.ts'
import { fromLocalTime, toLocalTime } from '../../commerce/wire/local-time.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

type At = Place | undefined

/** The fields of one record, read as the definition says; whatever is not as it says is an error, never guessed at. */
export interface Reader {
  /** Null where there is no place, or nothing at it. */
  maybe(place: At): unknown
  text(place: Place): string
  maybeText(place: At): string | null
  whole(place: Place): number
  maybeWhole(place: At): number | null
  time(place: Place): string
  maybeTime(place: At): string | null
  maybeFlag(place: At): boolean | null
  money(place: Place, currency: string): Money
  maybeMoney(place: At, currency: string): Money | null
  /** The currency that an amount names itself; null where it does not. */
  currencyAt(place: At): string | null
  records(place: Place): readonly Fields[]
  texts(place: At): string[]
}

export function readerOf(record: Fields, format: Format = {}): Reader {
  const maybe = (place: At): unknown => {
    const value = place === undefined ? null : valueIn(record, place)
    return value === undefined || value === '' ? null : value
  }
  const written = (place: At): Format => (typeof place === 'object' ? { ...format, ...place } : format)
  const maybeText = (place: At) => textOf(maybe(place), place)
  const maybeWhole = (place: At) => wholeOf(maybe(place), place)
  const maybeTime = (place: At) => moment(maybe(place), place, written(place))
  const maybeMoney = (place: At, currency: string) => amountOf(maybe(place), place, currency, written(place))
  return {
    maybe,
    maybeText,
    maybeWhole,
    maybeTime,
    maybeMoney,
    text: (place) => there(maybeText(place), place),
    whole: (place) => there(maybeWhole(place), place),
    time: (place) => there(maybeTime(place), place),
    money: (place, currency) => there(maybeMoney(place, currency), place),
    currencyAt(place) {
      const value = written(place).money === 'with_currency' ? maybe(place) : null
      return value === null ? null : withCurrency(value, place).currency
    },
    maybeFlag(place) {
      const value = maybe(place)
      if (value === null) return null
      if (value === true || value === 1 || value === 'true' || value === '1') return true
      if (value === false || value === 0 || value === 'false' || value === '0') return false
      throw wrong(place, 'no_flag')
    },
    records(place) {
      const value = maybe(place) ?? []
      if (!Array.isArray(value) || !value.every(isFields)) throw wrong(place, 'no_records_in')
      return value
    },
    texts(place) {
      const value = maybe(place) ?? []
      if (typeof value === 'string') return value.split(',').flatMap((word) => word.trim() || [])
      if (!Array.isArray(value)) throw wrong(place, 'no_list_in')
      return value.map((one) => there(textOf(one, place), place ?? ''))
    },
  }
}

type Wrong = 'no_text' | 'no_whole_number' | 'no_flag' | 'no_list_in' | 'no_records_in' | 'no_time_in' | 'no_amount_in'

const wrong = (place: At, code: Wrong) => new Unreadable(say(code, { name: placeName(place) }))

function there<T>(value: T | null, place: Place): T {
  if (value === null) throw new Unreadable(say('lacks_field', { name: placeName(place) }))
  return value
}

/** Ids and codes that are numbers there are text here. */
function textOf(value: unknown, place: At): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  throw wrong(place, 'no_text')
}

function wholeOf(value: unknown, place: At): number | null {
  if (value === null) return null
  const whole = typeof value === 'string' && /^-?\d{1,15}(\.0+)?$/.test(value) ? Number(value) : value
  if (typeof whole !== 'number' || !Number.isSafeInteger(whole)) throw wrong(place, 'no_whole_number')
  return whole
}

function moment(value: unknown, place: At, { time, zone }: Format): string | null {
  if (value === null) return null
  if (time === 'unix') return timeOfUnix(wholeOf(value, place) ?? 0)
  if (time === 'milliseconds') return timeOfUnix(wholeOf(value, place) ?? 0, 1000)
  if (typeof value !== 'string') throw wrong(place, 'no_time_in')
  const whole = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00` : value
  if (time !== 'local' || zone === undefined) return timeOf(whole === value ? value : `${whole}Z`)
  // Whoever names a zone with the time means that one.
  return /(Z|[+-]\d\d:?\d\d)$/.test(whole.slice(10)) ? timeOf(whole) : fromLocalTime(whole.slice(0, 19), zone)
}

function amountOf(value: unknown, place: At, currency: string, { money }: Format): Money | null {
  if (value === null) return null
  if (money === 'minor') return fromMinorUnits(wholeOf(value, place) ?? 0, currency)
  if (money === 'with_currency') return withCurrency(value, place)
  return { amount: decimal(value), currency }
}

/** `12.50 EUR`, `EUR 1,234.50`: the code and the amount, in either order. */
function withCurrency(value: unknown, place: At): Money {
  const text = typeof value === 'string' ? value.trim() : ''
  const currency = /^[A-Z]{3}|[A-Z]{3}$/.exec(text)?.[0]
  if (currency === undefined) throw wrong(place, 'no_amount_in')
  const amount = text.replace(currency, '').trim()
  return { amount: decimal(amount.replace(/[ ,'](?=\d{3}(\D|$))/g, '')), currency }
}

/** One of our times as the service writes them, to the second. */
export function timeThere(time: string, { time: format, zone }: Format): string | number {
  const instant = Date.parse(time)
  if (format === 'unix') return Math.floor(instant / 1000)
  if (format === 'milliseconds') return instant
  if (format === 'local' && zone !== undefined) return toLocalTime(time, zone).replace('T', ' ')
  return new Date(Math.floor(instant / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}

/** One of our amounts as the service writes them; text, where nothing else is said. */
export function moneyThere(money: Money, written: (typeof sentMoney)[number] = 'decimal'): string | number {
  if (written === 'minor') return toMinorUnits(money)
  return written === 'number' ? Number(money.amount) : money.amount
}
