import type { Connector } from '../../commerce/connector.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { invalidField } from '../../lib/fault.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { orInvalid } from '../integrations/place-integration.ts'
import { shipmentPlan } from '../operations/operation.ts'
import type { Written } from '../operations/perform-write.ts'
import { isKnownToShop, mayMove, type Order } from '../orders/order.ts'
import { findOrder, lockOrders, moveOrders } from '../orders/order-store.ts'
import { isSameParcel } from '../orders/parcels/parcel.ts'
import { emitParcels } from '../orders/parcels/parcel-events.ts'
import { useShop } from '../shop/use-shop.ts'
import { orderStatusOf, type Shipment, type ShipmentInput } from './shipment.ts'
import { findShipment, numberShipment, setShipmentRemoteId, upsertShipment } from './shipment-store.ts'

/**
 * A parcel of an order, or news of one that is known already. A parcel is sent to the shop once, before we write it down;
 * the order moves on with it.
 */
export async function recordShipment(
  context: Context,
  integration: Integration,
  input: ShipmentInput,
): Promise<{ shipment: Shipment; isNew: boolean }> {
  const order = await orderOf(context, integration, input.order_id)
  const known = await findShipment(context.db, integration.id, input)
  const sent = known ? null : await sendToShop(context, integration, order, input)
  const remoteId = known?.remote_id ?? sent?.result.remote_id ?? null
  const [id = 0] = known ? [known.id] : await takeIds(context.db, 'shipments', 1)
  return await context.transaction(async (trx) => {
    const held = await lockOrders(trx, integration.id, [order.id])
    const [now] = held.orders
    if (!now) throw noSuchOrder()
    await sent?.settle(trx)
    // The shop may have put the number on a parcel that it had reported without one, or have reported it meanwhile.
    const numbered = remoteId !== null && (await numberShipment(trx, integration.id, { ...input, remoteId }))
    const before = await findShipment(trx, integration.id, input)
    const result = await upsertShipment(trx, integration.id, { ...input, id, at: held.at })
    const shipment = { ...result.shipment, remote_id: result.shipment.remote_id ?? remoteId }
    if (remoteId !== null && result.shipment.remote_id === null) {
      await setShipmentRemoteId(trx, integration.id, { id: shipment.id, remoteId })
    }
    if (!before || numbered || !isSameParcel(before, shipment)) {
      await emitParcels(trx, integration.id, [{ parcel: shipment, was: before?.status ?? null }])
    }
    const status = orderStatusOf(shipment.status)
    if (status && mayMove(now.status, status)) {
      const note = `${shipment.carrier} ${shipment.tracking_number}`
      await moveOrders(trx, integration.id, held, [
        { id: order.id, status, inShop: remoteId !== null, note, source: 'shipment' },
      ])
    }
    return { shipment, isNew: result.isNew }
  })
}

const noSuchOrder = () => invalidField('order_id', 'The selected order id is invalid.')

/** Goods of a cancelled order do not leave. */
async function orderOf(context: Context, integration: Integration, id: number): Promise<Order> {
  const order = await orInvalid('order_id', findOrder(context.db, integration.id, id))
  if (order.status === 'CANCELLED') throw noSuchOrder()
  return order
}

/** What the shop made of it, where it is sent there. */
async function sendToShop(
  context: Context,
  integration: Integration,
  order: Order,
  input: ShipmentInput,
): Promise<Written<RemoteShipment> | null> {
  if (!isKnownToShop(order)) return null
  const draft = {
    order_remote_id: order.remote_id,
    tracking_number: input.tracking_number,
    carrier: input.carrier,
    tracking_url: input.tracking_url ?? null,
    shipped_at: input.shipped_at ?? null,
  }
  const part = ({ shipments }: Connector) => shipments?.create
  return await useShop(context, integration, part, (_shop, create, write) =>
    write({ ...shipmentPlan(draft), input: draft }, create),
  )
}
