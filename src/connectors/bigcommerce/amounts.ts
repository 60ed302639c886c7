import { compareDecimals, decimal, minus, sum } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import type { OrderFee, RemoteOrder } from '../../commerce/order.ts'
import { type Fields, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

export type Totals = Pick<
  RemoteOrder,
  'subtotal' | 'discount_total' | 'shipping_total' | 'tax_total' | 'fee_total' | 'total' | 'prices_include_tax' | 'fees'
> & { prices_include_tax: boolean }

/** Goods and charges, all with tax or all without, and whether they make up the total. */
interface Reckoning {
  withTax: boolean
  fees: readonly Charge[]
  /** By how much they are above what was to be paid; below it, less than nothing. */
  over: string
}

interface Charge {
  id: string | null
  title: string
  ex: string
  inc: string
}

const digits = 4
/** What rounding may add up to. */
const slack = '0.02'

/**
 * Every amount is told with tax and without. Discounts are told once, in whichever way the store reckons them, and fees
 * are in the total or are not: so the amounts are taken as they add up, first of all as the store enters its prices. What
 * is left over after that is a discount, or a charge, that nobody names.
 */
export function totalsOf(order: Fields, currency: string): Totals {
  const entered = order['is_tax_inclusive_pricing'] === true
  const named = feesIn(order)
  const ways = [entered, !entered]
  const tried = [chargesIn(order).concat(named), ...(named.length > 0 ? [chargesIn(order)] : [])].flatMap((fees) =>
    ways.map((withTax) => reckon(order, withTax, fees)),
  )
  const [first] = tried
  const found = tried.find(({ over }) => compareDecimals(absolute(over), slack) <= 0) ?? first
  if (!found) throw new Unreadable(say('amount_missing'))
  const { withTax, over } = found
  const side = withTax ? 'inc' : 'ex'
  const isShort = compareDecimals(over, '0') < 0
  const rest = isShort ? [{ id: null, title: 'Other charges', ex: absolute(over), inc: absolute(over) }] : []
  const money = (amount: string): Money => ({ amount: decimal(amount, digitsOf(currency)), currency })
  const fees = [...found.fees, ...rest].map(
    (fee): OrderFee => ({
      ...{ remote_id: fee.id, title: fee.title, amount: money(fee[side]), tax: money(minus(fee.inc, fee.ex, digits)) },
    }),
  )
  return {
    subtotal: money(decimal(order[`subtotal_${side}_tax`])),
    discount_total: money(isShort ? discountsIn(order) : sum([discountsIn(order), over], digits)),
    shipping_total: money(taxed(order, 'shipping_cost')[side]),
    tax_total: money(decimal(order['total_tax'])),
    fee_total: money(sum(fees.map(({ amount }) => amount.amount))),
    total: money(decimal(order['total_inc_tax'])),
    prices_include_tax: withTax,
    fees,
  }
}

function reckon(order: Fields, withTax: boolean, fees: readonly Charge[]): Reckoning {
  const side = withTax ? 'inc' : 'ex'
  const parts = [
    decimal(order[`subtotal_${side}_tax`]),
    taxed(order, 'shipping_cost')[side],
    ...fees.map((fee) => fee[side]),
    withTax ? '0' : decimal(order['total_tax']),
  ]
  const paid = sum([decimal(order['total_inc_tax']), discountsIn(order)], digits)
  return { withTax, fees, over: minus(sum(parts, digits), paid, digits) }
}

const absolute = (amount: string): string => amount.replace(/^-/, '')

const discountsIn = (order: Fields): string =>
  sum([decimal(order['discount_amount'] ?? '0'), decimal(order['coupon_discount'] ?? '0')], digits)

/** Where only one of the two is told, no tax was on it. */
function taxed(order: Fields, name: string): { ex: string; inc: string } {
  const [ex, inc] = [order[`${name}_ex_tax`], order[`${name}_inc_tax`]]
  return { ex: decimal(ex ?? inc ?? '0', digits), inc: decimal(inc ?? ex ?? '0', digits) }
}

const charges = { handling_cost: 'Handling', wrapping_cost: 'Gift wrapping' } as const

const chargesIn = (order: Fields): Charge[] =>
  Object.entries(charges)
    .map(([name, title]) => ({ id: null, title, ...taxed(order, name) }))
    .filter(({ inc }) => compareDecimals(inc, '0') !== 0)

/** The platform's own examples spell one of the names in two ways. */
const feesIn = (order: Fields): Charge[] =>
  (Array.isArray(order['fees']) ? recordsIn(order, 'fees') : []).map((fee) => ({
    id: String(fee['id']),
    title: maybeText(fee, 'display_name_customer') ?? maybeText(fee, 'name') ?? textIn(fee, 'type'),
    ex: decimal(fee['cost_ex_tax'] ?? fee['cost_exc_tax'] ?? fee['cost_inc_tax'], digits),
    inc: decimal(fee['cost_inc_tax'], digits),
  }))
