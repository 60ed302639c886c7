import { shipmentStatuses } from '../../commerce/shipment.ts'
import type { OrderStatus } from '../orders/order.ts'
import type { ParcelItem } from '../orders/parcels/parcel.ts'

/** The words of `src/commerce` in the spelling of our own statuses. */
export const shipmentStates = shipmentStatuses.map((status) => status.toUpperCase())

export interface Shipment {
  integration_id: number
  id: number
  order_id: number
  remote_id: string | null
  /** Null only for parcels of the shop's own; then `remote_id` is what it is known by. */
  tracking_number: string | null
  carrier: string
  tracking_url: string | null
  status: string
  items: readonly ParcelItem[]
  shipped_at: string | null
  created_at: string
  updated_at: string
}

export interface ShipmentInput {
  order_id: number
  tracking_number: string
  carrier: string
  tracking_url?: string | null
  status?: string
  shipped_at?: string | null
  items?: readonly ParcelItem[]
}

/** What a parcel says about its order; null where it says nothing. */
export function orderStatusOf(shipmentStatus: string): OrderStatus | null {
  if (shipmentStatus === 'DELIVERED') return 'DELIVERED'
  return shipmentStatus === 'CANCELLED' || shipmentStatus === 'FAILED' ? null : 'SHIPPED'
}
