import { compareDecimals, decimal } from '../../commerce/decimal.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, idIn } from '../../commerce/reading.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import { isYes, needed, textOf } from './ask.ts'
import type { Settings } from './settings.ts'

/** Which states mean what, in shops that were not asked: as the platform comes. */
export const stateOf = (settings: Settings) => ({
  canceled: settings.state_canceled ?? 6,
  refunded: settings.state_refunded ?? 7,
  failed: settings.state_failed ?? 8,
  shipped: settings.state_shipped ?? 4,
  delivered: settings.state_delivered ?? 5,
  backorders: [settings.state_backorder_paid ?? 9, settings.state_backorder_unpaid ?? 12],
})

/** While an order is being made it is in no state yet. */
export function standingOf(
  known: Fields | null,
  state: Fields,
  settings: Settings,
): Pick<RemoteOrder, 'status' | 'hold_reason'> {
  if (known) return { status: meaningOf(known, settings), hold_reason: holdOf(known, settings) }
  return idIn(state, 'id') === '0'
    ? { status: 'pending', hold_reason: null }
    : unknownStatus(idIn(state, 'id'), 'order_states')
}

export const nameOfState = (state: Fields): string => textOf(state, 'name') ?? idIn(state, 'id')

/** States are the shop's own; what they mean is in their flags, but for the few that the platform itself needs. */
export function meaningOf(state: Fields, settings: Settings): RemoteOrder['status'] {
  const id = Number(idIn(state, 'id'))
  const explained = settings.order_states?.find((one) => one.id === id)?.means
  if (explained) return explained
  const known = stateOf(settings)
  if (id === known.canceled) return 'cancelled'
  if (known.backorders.includes(id)) return 'on_hold'
  if (isYes(state, 'shipped')) return 'completed'
  // Paid back: what had not left by then will not.
  if (id === known.refunded) return 'open'
  return isYes(state, 'paid') ? 'open' : 'pending'
}

/** A backorder waits for its goods, and the state's name says so. */
const holdOf = (state: Fields, settings: Settings): string | null =>
  meaningOf(state, settings) === 'on_hold' ? nameOfState(state) : null

export function paymentOf(
  order: Fields,
  state: Fields,
  { settings, refunded }: { settings: Settings; refunded: string },
): RemoteOrder['payment_status'] {
  const id = Number(idIn(state, 'id'))
  const known = stateOf(settings)
  if (id === known.refunded) return 'refunded'
  const paid = decimal(needed(order, 'total_paid_real'))
  if (compareDecimals(refunded, '0') > 0) {
    return compareDecimals(refunded, decimal(needed(order, 'total_paid_tax_incl'))) < 0
      ? 'partially_refunded'
      : 'refunded'
  }
  const whole = compareDecimals(paid, decimal(needed(order, 'total_paid_tax_incl'))) >= 0
  if (isYes(state, 'paid') || whole) return 'paid'
  if (compareDecimals(paid, '0') > 0) return 'partially_paid'
  if (id === known.failed) return 'failed'
  return id === known.canceled ? 'voided' : 'pending'
}

export function fulfillmentOf(state: Fields, settings: Settings): RemoteOrder['fulfillment_status'] {
  if (Number(idIn(state, 'id')) === stateOf(settings).delivered) return 'delivered'
  return isYes(state, 'shipped') ? 'fulfilled' : 'unfulfilled'
}
