import type { Write } from '../connector.ts'
import type { RemoteOrder } from '../order.ts'
import {
  showsCancellation,
  showsRefund,
  type WantedLineCancellation,
  type WantedRefund,
  withRefund,
} from '../refund.ts'
import { refused } from '../remote.ts'
import type { Shop } from '../shop.ts'

interface Reading<S, C> {
  get(shop: Shop<S, C>, remoteId: string): Promise<unknown>
  translate(raw: unknown, facts: Shop<S, C>): RemoteOrder
}

const readOrder = async <S, C>({ get, translate }: Reading<S, C>, shop: Shop<S, C>, id: string) => {
  const raw = await get(shop, id)
  if (raw === null) throw refused('The shop has no such order.')
  return translate(raw, shop)
}

/** A refund that no platform makes only once by itself: after an end that nobody saw the order is read. */
export const refundOnce = <S, C>(
  orders: Reading<S, C>,
  pay: (shop: Shop<S, C>, refund: WantedRefund, operation: { id: string }) => Promise<unknown>,
): Write<S, C, WantedRefund, RemoteOrder> => ({
  repeatable: false,
  async send(shop, refund, operation) {
    await pay(shop, refund, operation)
    return withRefund(await readOrder(orders, shop, refund.order_remote_id), refund)
  },
  async confirm(shop, refund) {
    const order = await readOrder(orders, shop, refund.order_remote_id)
    return showsRefund(order, refund) ? order : null
  },
})

/** The same for single lines that are called off. */
export const cancelLinesOnce = <S, C>(
  orders: Reading<S, C>,
  cancel: (shop: Shop<S, C>, cancellation: WantedLineCancellation, operation: { id: string }) => Promise<unknown>,
): Write<S, C, WantedLineCancellation, RemoteOrder> => ({
  repeatable: false,
  async send(shop, cancellation, operation) {
    await cancel(shop, cancellation, operation)
    return await readOrder(orders, shop, cancellation.order_remote_id)
  },
  async confirm(shop, cancellation) {
    const order = await readOrder(orders, shop, cancellation.order_remote_id)
    return showsCancellation(order, cancellation) ? order : null
  },
})
