import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

export type Words = Pick<
  RemoteOrder,
  'status' | 'hold_reason' | 'payment_status' | 'fulfillment_status' | 'remote_status'
>

export const statuses = shopStatuses({
  paid: null,
  open: null,
  completed: 'completed',
  'payment processing': 'pending',
  'partially refunded': null,
  'fully refunded': null,
  canceled: 'cancelled',
})

/** One word for everything, in small letters or not; whether it has been paid and sent is reported beside it. */
export function wordsOf(
  receipt: Fields,
  { isDigital, isPaidBack }: { isDigital: boolean; isPaidBack: boolean },
): Words {
  const remote_status = textIn(receipt, 'status')
  const isPaid = flagIn(receipt, 'is_paid')
  const isSent = flagIn(receipt, 'is_shipped')
  const sent = isSent ? 'fulfilled' : isDigital ? 'not_required' : 'unfulfilled'
  const open = isSent ? 'completed' : isPaid ? 'open' : 'pending'
  const known = (status: Words['status'], payment_status: Words['payment_status']): Words => ({
    status,
    hold_reason: null,
    payment_status,
    fulfillment_status: sent,
    remote_status,
  })
  switch (remote_status.toLowerCase()) {
    case 'paid':
      return known(isSent ? 'completed' : 'open', 'paid')
    case 'open':
      return known(open, isPaid ? 'paid' : 'pending')
    case 'completed':
      return known('completed', isPaid ? 'paid' : 'pending')
    case 'payment processing':
      return known('pending', 'pending')
    case 'partially refunded':
      return known(open, 'partially_refunded')
    case 'fully refunded':
      return known(isSent ? 'completed' : 'open', 'refunded')
    case 'canceled':
      return known('cancelled', isPaidBack ? 'refunded' : isPaid ? 'paid' : 'voided')
    default:
      return { ...known('on_hold', 'unknown'), ...unknownStatus(remote_status, null) }
  }
}

function flagIn(fields: Fields, name: string): boolean {
  const value = fields[name]
  if (typeof value !== 'boolean') throw new Unreadable(say('no_flag', { name }))
  return value
}
