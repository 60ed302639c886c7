import { decimal } from '../../commerce/decimal.ts'
import type { Format } from '../../commerce/definition/definition.ts'
import { fromMinorUnits, type Money } from '../../commerce/money.ts'
import { type Fields, isFields, timeOf, timeOfUnix } from '../../commerce/reading.ts'

/** What a record has at a place; undefined where it has nothing of its own there. */
export function valueAt(record: unknown, path: string): unknown {
  let value: unknown = record
  for (const name of path.split('.')) {
    if (Array.isArray(value)) value = /^\d{1,4}$/.test(name) ? value[Number(name)] : undefined
    else value = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

type Path = string | undefined

/** The fields of one record, read as the definition says; whatever is not as it says is an error, never guessed at. */
export interface Reader {
  /** Null where there is no path, or nothing at its end. */
  maybe(path: Path): unknown
  text(path: string): string
  maybeText(path: Path): string | null
  whole(path: string): number
  maybeWhole(path: Path): number | null
  time(path: string): string
  maybeTime(path: Path): string | null
  maybeFlag(path: Path): boolean | null
  money(path: string, currency: string): Money
  maybeMoney(path: Path, currency: string): Money | null
  records(path: string): readonly Fields[]
  texts(path: Path): string[]
}

export function readerOf(record: Fields, format: Format = {}): Reader {
  const maybe = (path: Path): unknown => {
    const value = path === undefined ? null : valueAt(record, path)
    return value === undefined || value === '' ? null : value
  }
  const maybeText = (path: Path) => textOf(maybe(path), path)
  const maybeWhole = (path: Path) => wholeOf(maybe(path), path)
  const maybeTime = (path: Path) => moment(maybe(path), path, format)
  const maybeMoney = (path: Path, currency: string) => amountOf(maybe(path), path, currency, format)
  return {
    maybe,
    maybeText,
    maybeWhole,
    maybeTime,
    maybeMoney,
    text: (path) => there(maybeText(path), path),
    whole: (path) => there(maybeWhole(path), path),
    time: (path) => there(maybeTime(path), path),
    money: (path, currency) => there(maybeMoney(path, currency), path),
    maybeFlag(path) {
      const value = maybe(path)
      if (value === null) return null
      if (value === true || value === 1 || value === 'true' || value === '1') return true
      if (value === false || value === 0 || value === 'false' || value === '0') return false
      throw wrong(path, 'neither true nor false')
    },
    records(path) {
      const value = maybe(path) ?? []
      if (!Array.isArray(value) || !value.every(isFields)) throw wrong(path, 'no list of records')
      return value
    },
    texts(path) {
      const value = maybe(path) ?? []
      if (typeof value === 'string') return value.split(',').flatMap((word) => word.trim() || [])
      if (!Array.isArray(value)) throw wrong(path, 'no list')
      return value.map((one) => there(textOf(one, path), path ?? ''))
    },
  }
}

const wrong = (path: Path, what: string) => new TypeError(`What the shop's record has at "${path}" is ${what}.`)

function there<T>(value: T | null, path: string): T {
  if (value === null) throw new TypeError(`The shop's record has nothing at "${path}".`)
  return value
}

/** Ids and codes that are numbers there are text here. */
function textOf(value: unknown, path: Path): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  throw wrong(path, 'no text')
}

function wholeOf(value: unknown, path: Path): number | null {
  if (value === null) return null
  const whole = typeof value === 'string' && /^-?\d{1,15}(\.0+)?$/.test(value) ? Number(value) : value
  if (typeof whole !== 'number' || !Number.isSafeInteger(whole)) throw wrong(path, 'no whole number')
  return whole
}

function moment(value: unknown, path: Path, { time }: Format): string | null {
  if (value === null) return null
  if (time === 'unix') return timeOfUnix(wholeOf(value, path) ?? 0)
  if (typeof value !== 'string') throw wrong(path, 'no time')
  return timeOf(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value)
}

function amountOf(value: unknown, path: Path, currency: string, { money }: Format): Money | null {
  if (value === null) return null
  if (money !== 'minor') return { amount: decimal(value), currency }
  return fromMinorUnits(wholeOf(value, path) ?? 0, currency)
}
