import type { Db } from '../../runtime/db/connection.ts'
import { happening } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import type { Shipment } from './shipment.ts'

/** Part of the transaction that writes the parcel down. It is told in line with what happens to its order. */
export async function emitShipment(trx: Db, shipment: Shipment): Promise<void> {
  const { integration_id: integrationId, order_id: orderId } = shipment
  const data = {
    id: shipment.id,
    integration_id: integrationId,
    order_id: orderId,
    tracking_number: shipment.tracking_number,
    carrier: shipment.carrier,
    status: shipment.status,
    updated_at: shipment.updated_at,
    href: `/api/2.0/app/orders/${orderId}?integration_id=${integrationId}`,
  }
  const told = { subject: `order:${integrationId}:${orderId}`, data }
  await emitEvents(trx, [happening('shipment.created', { integrationId }, told)])
}
