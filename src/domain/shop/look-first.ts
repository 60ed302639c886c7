import type { Connector } from '../../commerce/connector.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import {
  contentErrors,
  type WantedParcel,
  whyNotCancel,
  whyNotOurs,
  whyNotShip,
} from '../../commerce/rules/order-guards.ts'
import { fractionErrors } from '../../commerce/rules/quantities.ts'
import type { Shop } from '../../commerce/shop.ts'
import { forceable, say } from '../../commerce/words/say.ts'
import { invalid, invalidField, whyOf } from '../../lib/fault.ts'

interface Looking {
  connector: Connector
  shop: Shop
}

/** Before a parcel is sent to the shop: whether its goods may leave, and whether they are there. Only the former may be forced. */
export const shipmentCheck =
  (
    { connector, shop }: Looking,
    parcel: WantedParcel & { order_remote_id: string },
    { force, orderField, linesField }: { force: boolean | undefined; orderField: string; linesField: string },
  ) =>
  async (): Promise<void> => {
    const order = await look({ connector, shop }, parcel.order_remote_id, { force, field: orderField })
    if (order === null) return
    const why = whyNotOurs(order) ?? (force ? null : whyNotShip(order))
    if (why !== null) throw invalidField(orderField, why)
    const partial = connector.shipments?.partial ?? false
    const fractions = connector.orders?.fractions ?? false
    const errors = {
      ...contentErrors(order, parcel, { field: linesField, partial }),
      ...fractionErrors(parcel.lines, { field: linesField, fractions }),
    }
    if (Object.keys(errors).length > 0) throw invalid(errors)
  }

export const cancelCheck =
  (looking: Looking, { remoteId, force, field }: { remoteId: string; force: boolean | undefined; field: string }) =>
  async (): Promise<void> => {
    const order = await look(looking, remoteId, { force, field })
    const why = order && !force ? whyNotCancel(order) : null
    if (why !== null) throw invalidField(field, why)
  }

/** The order as the shop has it now; null where nothing can be said about it: the connector reads none, or force was used. */
export async function look(
  { connector, shop }: Looking,
  remoteId: string,
  { force, field }: { force: boolean | undefined; field: string },
): Promise<RemoteOrder | null> {
  const { orders } = connector
  if (!orders) return null
  const raw = await orders.get(shop, remoteId)
  if (raw === null) throw invalidField(field, say('no_such_order'))
  try {
    return orders.translate(raw, shop)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    if (force) return null
    throw invalidField(field, forceable(say('order_not_understood', { reason: whyOf(error) })))
  }
}
