import type { RemoteOrder } from '../../commerce/order.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'

/** Under which parcels are counted (`runtime/db/row-counters.ts`). */
export const allShipments = 'shipments'

/** A parcel as the shop tells it with its order. */
export interface SyncedParcel {
  remote_id: string | null
  tracking_number: string
  /** Null where the shop does not say who carries it. */
  carrier: string | null
  tracking_url: string | null
  status: string
  /** None where the shop does not say what is in it. */
  items: readonly { sku: string; quantity: number }[]
  shipped_at: string | null
}

/** Parcels that can be followed; what has no number is told by the status of the order alone. */
export function parcelsOf({ shipments, lines }: RemoteOrder): SyncedParcel[] {
  if (shipments.length === 0) return []
  const skus = new Map(lines.map((line) => [line.remote_id, line.sku ?? line.remote_id]))
  const parcel = (told: RemoteShipment, tracking: string): SyncedParcel => ({
    remote_id: told.remote_id,
    tracking_number: tracking,
    carrier: told.carrier_name ?? told.carrier_code,
    tracking_url: told.tracking_url,
    status: told.status.toUpperCase(),
    items: told.lines.map(({ order_line_remote_id: id, quantity }) => ({ sku: skus.get(id) ?? id, quantity })),
    shipped_at: told.shipped_at,
  })
  return shipments.flatMap((told) => (told.tracking_number ? [parcel(told, told.tracking_number)] : []))
}

export interface HeldParcel extends Omit<SyncedParcel, 'carrier'> {
  id: number
  carrier: string
}

/** Its way; a shop that only knows that it was sent takes nothing back. */
const way = ['PENDING', 'SHIPPED', 'IN_TRANSIT', 'DELIVERED']

function statusAfter(held: string, told: string): string {
  if (held === told || !way.includes(told)) return told
  return way.indexOf(told) > way.indexOf(held) ? told : held
}

/**
 * What we hold after the shop has told of a parcel: null if that is what we hold already. What it leaves open stays, and
 * so does the moment at which we were told first: some shops know only the day.
 */
export function mergeParcel(held: HeldParcel, told: SyncedParcel): HeldParcel | null {
  const merged: HeldParcel = {
    id: held.id,
    remote_id: told.remote_id ?? held.remote_id,
    tracking_number: told.tracking_number,
    carrier: told.carrier ?? held.carrier,
    tracking_url: told.tracking_url ?? held.tracking_url,
    status: statusAfter(held.status, told.status),
    items: told.items.length > 0 ? told.items : held.items,
    shipped_at: held.shipped_at ?? told.shipped_at,
  }
  return same(merged, held) ? null : merged
}

const same = (one: HeldParcel, other: HeldParcel): boolean =>
  one.remote_id === other.remote_id &&
  one.tracking_number === other.tracking_number &&
  one.carrier === other.carrier &&
  one.tracking_url === other.tracking_url &&
  one.status === other.status &&
  one.shipped_at === other.shipped_at &&
  itemsText(one) === itemsText(other)

const itemsText = ({ items }: HeldParcel) => items.map(({ sku, quantity }) => `${quantity}×${sku}`).join()

/** The one that the shop means: by its own id, else by the number. Two of its own ids are two parcels. */
export const heldAs = (held: readonly HeldParcel[], told: SyncedParcel): HeldParcel | undefined =>
  held.find((one) => one.remote_id !== null && one.remote_id === told.remote_id) ??
  held.find((one) => one.tracking_number === told.tracking_number)
