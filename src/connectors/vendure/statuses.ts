import type { RemoteOrder } from '../../commerce/order.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import type { VendureFacts } from './settings.ts'

type Status = RemoteOrder['status']

const defaultStatuses: Readonly<Record<string, Status>> = {
  Created: 'pending',
  Draft: 'pending',
  AddingItems: 'pending',
  ArrangingPayment: 'pending',
  PaymentAuthorized: 'pending',
  PaymentSettled: 'open',
  PartiallyShipped: 'open',
  // Of some parcels of which all may have been sent.
  PartiallyDelivered: 'open',
  Shipped: 'completed',
  Delivered: 'completed',
  Modifying: 'on_hold',
  ArrangingAdditionalPayment: 'on_hold',
  Cancelled: 'cancelled',
}

/** Servers may have states of their own; what they mean is in the settings. */
export function statusesOf({ settings: { custom_states: own = [] } }: VendureFacts): ReadonlyMap<string, Status> {
  return new Map([...Object.entries(defaultStatuses), ...own.map(({ state, means }) => [state, means] as const)])
}

/** After these an order rarely changes; it is followed for some time all the same. */
export const settledStates = ['Shipped', 'Delivered', 'Cancelled']

export const shipmentStates: Readonly<Record<string, RemoteShipment['status'] | undefined>> = {
  Created: 'pending',
  Pending: 'pending',
  Shipped: 'shipped',
  Delivered: 'delivered',
  Cancelled: 'cancelled',
}
