import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { amendmentPlan, shipmentPlan } from '../operations/operation.ts'
import type { Written } from '../operations/perform-write.ts'
import { settleAmendment } from '../operations/undo-shipment-store.ts'
import type { Order } from '../orders/order.ts'
import type { ParcelItem } from '../orders/parcels/parcel.ts'
import { shipmentCheck } from '../shop/look-first.ts'
import { useShop } from '../shop/use-shop.ts'
import type { Shipment, ShipmentInput } from './shipment.ts'

/** What the shop made of a new parcel; null where the service takes none. */
export async function sendToShop(
  context: Context,
  integration: Integration,
  { order, input, contents }: { order: Order; input: ShipmentInput; contents: readonly ParcelItem[] },
): Promise<Written<RemoteShipment> | null> {
  const { tracking_number, force, notify_customer, items } = input
  const some = items !== undefined && items.length > 0
  return await useShop(
    context,
    integration,
    ({ shipments }: Connector) => shipments,
    (shop, { create, partial }, write, connector) => {
      // Where orders leave as a whole the shop needs no list; whether it is the whole is checked all the same.
      const lines = some && partial ? contents.flatMap(lineOf) : []
      const draft = {
        order_remote_id: order.remote_id,
        tracking_number,
        carrier: input.carrier,
        tracking_url: input.tracking_url ?? null,
        shipped_at: input.shipped_at ?? null,
        ...(lines.length > 0 && { lines }),
        ...(notify_customer !== undefined && { notify_customer }),
      }
      const wanted = { order_remote_id: order.remote_id, tracking_number, ...(some && { lines: items }) }
      const check = shipmentCheck({ connector, shop }, wanted, { force, orderField: 'order_id', linesField: 'items' })
      return write({ ...shipmentPlan(draft), input: draft, check }, create)
    },
  )
}

const lineOf = ({ order_line_remote_id: id, quantity }: ParcelItem) =>
  id == null ? [] : [{ order_line_remote_id: id, quantity }]

/**
 * What the shop made of a correction. Null where there is nothing for it to correct: it says the same, or it has never been
 * told of the parcel, because the service takes none.
 */
export async function correctInShop(
  context: Context,
  integration: Integration,
  { order, known, input }: { order: Order; known: Shipment; input: ShipmentInput },
): Promise<Written<RemoteShipment> | null> {
  const { tracking_number, carrier, notify_customer, tracking_url = known.tracking_url } = input
  const isSame =
    known.tracking_number === tracking_number && known.carrier === carrier && known.tracking_url === tracking_url
  if (isSame) return null
  const { shipments } = connectorFor(context.connectors, integration) ?? {}
  if (!shipments) return null
  if (!shipments.amend) {
    throw invalidField('tracking_number', say('parcel_not_corrected'))
  }
  const amendment = {
    order_remote_id: order.remote_id,
    remote_id: known.remote_id,
    previous_tracking_number: known.tracking_number,
    ...{ tracking_number, carrier, tracking_url },
    lines: known.items.flatMap(lineOf),
    shipped_at: input.shipped_at ?? known.shipped_at,
    ...(notify_customer !== undefined && { notify_customer }),
  }
  const sent = await useShop(
    context,
    integration,
    (connector) => connector.shipments?.amend,
    (_shop, amend, write) => write({ ...amendmentPlan(amendment), input: amendment }, amend),
  )
  if (!sent) return null
  const settle = async (trx: Db) => {
    const isFirst = await sent.settle(trx)
    if (isFirst) await settleAmendment(trx, integration.id, amendment)
    return isFirst
  }
  return { ...sent, settle }
}
