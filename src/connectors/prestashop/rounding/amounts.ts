import { compareDecimals, decimal, minus, rounded, sum, times } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import { type Fields, recordsIn } from '../../../commerce/reading.ts'
import { countIn, needed, valueIn } from '../ask.ts'

/**
 * The shop rounds goods by the piece, by the line or in the end (`PS_ROUND_TYPE`), and reckons the total from prices that are
 * not rounded by the line. So its own parts may miss its own total by a coin or so; what buyers pay is the total.
 */

/** Six places come, whatever the currency has. */
export const amountIn = (record: Fields, name: string, currency: string): string =>
  rounded(decimal(needed(record, name)), digitsOf(currency))

/** The shop's own sum, where it was asked for. */
export function exactTotal(row: Fields, kind: 'incl' | 'excl'): string {
  const own = valueIn(row, `total_price_tax_${kind}`)
  return own === null
    ? times(decimal(needed(row, `unit_price_tax_${kind}`)), countIn(row, 'product_quantity'))
    : decimal(own)
}

/** Rows of an order with what the shop itself says of each. */
export function rowsOf(rows: readonly Fields[], order: Fields): Fields[] {
  const details = new Map(recordsIn({ details: [], ...order }, 'details').map((one) => [String(one['id']), one]))
  return rows.map((row) => ({ ...details.get(String(row['id'])), ...row }))
}

const coinOf = (currency: string): string => {
  const digits = digitsOf(currency)
  return digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`
}

const sizeOf = (amount: string): string => amount.replace('-', '')

/**
 * What each line comes to, in whole coins. Where the shop rounds in the end, lines are finer than that: then those that lost
 * or won most by rounding bear what is missing, so that they make up the sum. What rounding does not explain stays.
 */
export function lineTotals(exact: readonly string[], goods: string, currency: string): string[] {
  const digits = digitsOf(currency)
  const plain = exact.map((amount) => rounded(amount, digits))
  const missing = minus(goods, sum(plain, digits), digits)
  const isShort = compareDecimals(missing, '0') > 0
  const coin = isShort ? coinOf(currency) : `-${coinOf(currency)}`
  const lost = exact.map((amount, at) => ({ at, by: minus(amount, plain[at] ?? amount, 6) }))
  const bearers = lost
    .filter(({ by }) => compareDecimals(by, '0') === (isShort ? 1 : -1))
    .sort((a, b) => (isShort ? compareDecimals(b.by, a.by) : compareDecimals(a.by, b.by)) || a.at - b.at)
  const coins = Number(sizeOf(missing)) / Number(coinOf(currency))
  if (bearers.length < Math.round(coins)) return plain
  const bearing = new Set(bearers.slice(0, Math.round(coins)).map(({ at }) => at))
  return plain.map((amount, at) => (bearing.has(at) ? sum([amount, coin], digits) : amount))
}

interface Parts {
  /** What the order says of its goods, and what its lines come to. */
  goods: string
  lines: readonly string[]
  /** Shipping and gift wrapping, less discounts. */
  beside: string
  total: string
  currency: string
}

/**
 * Goods, and what is between the parts and the total. Gifts of a voucher are among the lines and not in the order's own sum:
 * then the lines say what the goods are. What is more than a coin for each line is no rounding, and is left as the shop has it.
 */
export function reckoned({ goods, lines, beside, total, currency }: Parts): { goods: string; rounding: string } {
  const digits = digitsOf(currency)
  const most = times(coinOf(currency), lines.length + 1, digits)
  const missing = (amount: string): string => minus(minus(total, amount, digits), beside, digits)
  const isRounding = (amount: string): boolean => compareDecimals(sizeOf(missing(amount)), most) <= 0
  const found = [goods, sum(lines, digits)].find(isRounding)
  return found === undefined ? { goods, rounding: '0' } : { goods: found, rounding: missing(found) }
}
