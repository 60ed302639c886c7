import type { Write } from '../connector/parts.ts'
import type { RemoteOrder } from '../order.ts'
import {
  isSigned,
  isUnexplained,
  showsCancellation,
  showsRefund,
  signedReason,
  type WantedLineCancellation,
  type WantedRefund,
  withRefund,
} from '../refund.ts'
import { cannotTell } from '../remote.ts'
import type { Shop } from '../shop.ts'
import { say } from '../words/say.ts'
import { changeOnce, type OrderReading, readOrder } from './change-once.ts'

/**
 * By what a refund of ours is told from others. `reason`: the platform keeps the reason of each refund, and in it the name
 * that we gave ours. `last reason`: only that of the latest. `nothing`: where an answer got lost and a refund like ours is
 * there, nobody knows whose it is. Where the platform keeps a mark that no buyer reads: whether the order shows it. It may
 * be written after the refund, so that one without it proves nothing.
 */
type Trace = 'reason' | 'last reason' | 'nothing' | ((order: RemoteOrder, operation: { id: string }) => boolean)

/** A refund that no platform makes only once by itself: after an end that nobody saw the order is read. */
export const refundOnce = <S, C>(
  orders: OrderReading<S, C>,
  pay: (shop: Shop<S, C>, refund: WantedRefund, operation: { id: string }) => Promise<unknown>,
  trace: Trace = 'reason',
): Write<S, C, WantedRefund, RemoteOrder> => ({
  repeatable: false,
  async send(shop, refund, operation) {
    const isNamed = trace === 'reason' || trace === 'last reason'
    const reason = isNamed ? signedReason(refund.reason, operation) : refund.reason
    await pay(shop, { ...refund, reason }, operation)
    return withRefund(await readOrder(orders, shop, refund.order_remote_id), refund)
  },
  async confirm(shop, refund, operation) {
    const order = await readOrder(orders, shop, refund.order_remote_id)
    if (typeof trace === 'function' && trace(order, operation)) return order
    // Of those that were made before there were marks as well.
    if (trace !== 'nothing' && order.refunds.some((one) => isSigned(one, operation))) return order
    // Where each refund has its own reason, those of others explain themselves.
    const mayBeOurs = trace === 'reason' ? isUnexplained(order, refund) : showsRefund(order, refund)
    if (!mayBeOurs) return null
    throw cannotTell(say('refund_lost', { amount: refund.amount, currency: refund.currency }))
  },
})

/** The same for single lines that are called off. */
export const cancelLinesOnce = <S, C>(
  orders: OrderReading<S, C>,
  cancel: (shop: Shop<S, C>, cancellation: WantedLineCancellation, operation: { id: string }) => Promise<unknown>,
): Write<S, C, WantedLineCancellation, RemoteOrder> =>
  changeOnce(orders, { send: cancel, shows: (order, wanted) => showsCancellation(order, wanted) })
