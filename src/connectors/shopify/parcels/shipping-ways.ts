import { compareDecimals } from '../../../commerce/decimal.ts'
import { type Fields, maybeFields } from '../../../commerce/reading.ts'
import { moneyIn } from '../amounts.ts'
import { type Detail, nodesIn } from '../ask.ts'
import { shippingWays } from '../documents/orders.ts'

/**
 * An order tells the first way in which it is sent, and what all of them cost. A list of them by every order would cost more than
 * the few that have several are worth, and large shops are read in a way that cannot have such a list: so only those are asked for
 * whose first way does not account for the whole price.
 */
function isSentInSeveralWays(order: Fields): boolean {
  const first = maybeFields(order, 'shippingLine')
  if (first?.['originalPriceSet'] === undefined || order['totalShippingPriceSet'] == null) return false
  return (
    compareDecimals(moneyIn(first, 'originalPriceSet').amount, moneyIn(order, 'totalShippingPriceSet').amount) !== 0
  )
}

export const ways: Detail = {
  isAsked: isSentInSeveralWays,
  query: shippingWays,
  atOnce: 25,
  read: (_, found) => (found ? { shippingLines: { nodes: nodesIn(found, 'shippingLines') } } : {}),
}

/** Those that were taken out again when the order was edited are not among them. */
export function waysIn(order: Fields): Fields[] {
  const first = maybeFields(order, 'shippingLine')
  const all = order['shippingLines'] === undefined ? (first ? [first] : []) : nodesIn(order, 'shippingLines')
  return all.filter((way) => way['isRemoved'] !== true)
}
