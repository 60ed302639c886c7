import { isOff, type Part } from '../../commerce/rules/left-to-send.ts'
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
  items?: readonly Part[]
  /** The number that it has had, where it is to be corrected. */
  previous_tracking_number?: string | null
  notify_customer?: boolean
  /** Also if the shop holds the order back. */
  force?: boolean
}

/** Not what is only packed, was called off or got lost: shops are told of what has left, and orders move by it alone. */
export const hasLeft = (parcel: Pick<Shipment, 'status'>): boolean => !isOff(parcel) && parcel.status !== 'PENDING'

/** What its parcels say about an order of which nothing is left; null where they say nothing. */
export function orderStatusOf(parcels: readonly Pick<Shipment, 'status'>[]): OrderStatus | null {
  const gone = parcels.filter(hasLeft)
  if (gone.length === 0) return null
  return gone.every(({ status }) => status === 'DELIVERED') ? 'DELIVERED' : 'SHIPPED'
}
