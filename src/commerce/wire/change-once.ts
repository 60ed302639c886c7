import {
  cancelledParcels,
  type Hold,
  isCaptured,
  isHeld,
  type Release,
  type ShipmentCancellation,
  showsPart,
  type WantedCapture,
} from '../changes/order-change.ts'
import type { Capturing, Write } from '../connector/parts.ts'
import type { RemoteOrder } from '../order.ts'
import { refused } from '../remote.ts'
import type { Shop } from '../shop.ts'
import { say } from '../words/say.ts'

/** How a connector reads one order. */
export interface OrderReading<S, C> {
  get(shop: Shop<S, C>, remoteId: string): Promise<unknown>
  translate(raw: unknown, facts: Shop<S, C>): RemoteOrder
}

export const readOrder = async <S, C>({ get, translate }: OrderReading<S, C>, shop: Shop<S, C>, id: string) => {
  const raw = await get(shop, id)
  if (raw === null) throw refused(say('no_such_order'))
  return translate(raw, shop)
}

/** A change that shows on the order: after an end that nobody saw the order is read. */
export const changeOnce = <S, C, Wanted extends { order_remote_id: string }>(
  orders: OrderReading<S, C>,
  {
    send,
    shows,
  }: {
    send(shop: Shop<S, C>, wanted: Wanted, operation: { id: string }): Promise<unknown>
    /** Whether the order is as it was to become. */
    shows(order: RemoteOrder, wanted: Wanted, shop: Shop<S, C>): boolean | Promise<boolean>
  },
): Write<S, C, Wanted, RemoteOrder> => ({
  repeatable: false,
  async send(shop, wanted, operation) {
    await send(shop, wanted, operation)
    return await readOrder(orders, shop, wanted.order_remote_id)
  },
  async confirm(shop, wanted) {
    const order = await readOrder(orders, shop, wanted.order_remote_id)
    return (await shows(order, wanted, shop)) ? order : null
  },
})

type Send<S, C, Wanted> = (shop: Shop<S, C>, wanted: Wanted, operation: { id: string }) => Promise<unknown>

/** Parcels that did not leave after all, each by its id in the shop. */
export const cancelShipmentOnce = <S, C>(
  orders: OrderReading<S, C>,
  cancel: (shop: Shop<S, C>, parcel: { remote_id: string }, order: RemoteOrder) => Promise<unknown>,
): Write<S, C, ShipmentCancellation, RemoteOrder> =>
  changeOnce(orders, {
    async send(shop, wanted) {
      const order = await readOrder(orders, shop, wanted.order_remote_id)
      for (const { remote_id: id } of cancelledParcels(order, wanted)) {
        if (id === null) throw refused(say('no_shipment_id'))
        await cancel(shop, { remote_id: id }, order)
      }
    },
    shows: (order, wanted) => cancelledParcels(order, wanted).length === 0,
  })

export const holdOnce = <S, C>(orders: OrderReading<S, C>, send: Send<S, C, Hold>): Write<S, C, Hold, RemoteOrder> =>
  changeOnce(orders, { send, shows: isHeld })

export const releaseOnce = <S, C>(
  orders: OrderReading<S, C>,
  send: Send<S, C, Release>,
): Write<S, C, Release, RemoteOrder> => changeOnce(orders, { send, shows: (order) => !isHeld(order) })

/** With `standing` where the platform takes parts of what is reserved as well. */
export const captureOnce = <S, C>(
  orders: OrderReading<S, C>,
  send: Send<S, C, WantedCapture>,
  standing?: NonNullable<Capturing<S, C>['standing']>,
): Capturing<S, C> => ({
  ...changeOnce<S, C, WantedCapture>(orders, {
    send,
    shows: async (order, wanted, shop) =>
      standing && wanted.amount != null ? showsPart(await standing(shop, order.remote_id), wanted) : isCaptured(order),
  }),
  ...(standing ? { standing } : {}),
})
