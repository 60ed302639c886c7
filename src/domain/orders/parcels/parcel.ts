import type { RemoteOrder } from '../../../commerce/order.ts'
import type { RemoteShipment } from '../../../commerce/shipment.ts'

/** Under which parcels are counted (`runtime/db/lists/row-counters.ts`). */
export const allShipments = 'shipments'

/** So many of a line of the order; by its SKU alone where that is all that anybody has said. */
export interface ParcelItem {
  sku: string | null
  order_line_remote_id?: string | null
  quantity: number
}

/** A parcel as the shop reports it with its order. */
export interface SyncedParcel {
  remote_id: string | null
  /** Null where it has none, or none yet: then the shop's own id is what it is known by. */
  tracking_number: string | null
  /** Null where the shop does not say who carries it. */
  carrier: string | null
  tracking_url: string | null
  status: string
  /** None where the shop does not say what is in it. */
  items: readonly ParcelItem[]
  shipped_at: string | null
}

/**
 * The parcels that can be distinguished. One with neither a number nor an id of the shop's own (Etsy and plug-ins of
 * WooCommerce may report such, described services that name no id always do) would be another one each time it is reported:
 * it is left out, and only the status of the order shows it.
 */
export function parcelsOf({ shipments, lines }: RemoteOrder): SyncedParcel[] {
  if (shipments.length === 0) return []
  const skus = new Map(lines.map((line) => [line.remote_id, line.sku]))
  const parcel = (remote: RemoteShipment): SyncedParcel => ({
    remote_id: remote.remote_id,
    tracking_number: remote.tracking_number || null,
    carrier: remote.carrier_name ?? remote.carrier_code,
    tracking_url: remote.tracking_url,
    status: remote.status.toUpperCase(),
    items: remote.lines.map(({ order_line_remote_id: id, quantity }) => ({
      sku: skus.get(id) ?? null,
      order_line_remote_id: id,
      quantity,
    })),
    shipped_at: remote.shipped_at,
  })
  return shipments.map(parcel).filter((incoming) => incoming.tracking_number !== null || incoming.remote_id !== null)
}

export interface HeldParcel extends Omit<SyncedParcel, 'carrier'> {
  id: number
  carrier: string
}

/** Its way; a shop that only knows that it was sent takes nothing back. */
const way = ['PENDING', 'SHIPPED', 'IN_TRANSIT', 'DELIVERED']

function statusAfter(held: string, incoming: string): string {
  if (held === incoming || !way.includes(incoming)) return incoming
  return way.indexOf(incoming) > way.indexOf(held) ? incoming : held
}

/**
 * What we hold after the shop has reported a parcel: null if that is what we hold already. What it leaves open stays, and
 * so does the moment of the first report: some shops know only the day.
 */
export function mergeParcel(held: HeldParcel, incoming: SyncedParcel): HeldParcel | null {
  const merged: HeldParcel = {
    id: held.id,
    remote_id: incoming.remote_id ?? held.remote_id,
    tracking_number: incoming.tracking_number ?? held.tracking_number,
    carrier: incoming.carrier ?? held.carrier,
    tracking_url: incoming.tracking_url ?? held.tracking_url,
    status: statusAfter(held.status, incoming.status),
    items: incoming.items.length > 0 ? incoming.items : held.items,
    shipped_at: held.shipped_at ?? incoming.shipped_at,
  }
  return isSameParcel(merged, held) ? null : merged
}

export const isSameParcel = (one: HeldParcel, other: HeldParcel): boolean =>
  one.remote_id === other.remote_id &&
  one.tracking_number === other.tracking_number &&
  one.carrier === other.carrier &&
  one.tracking_url === other.tracking_url &&
  one.status === other.status &&
  one.shipped_at === other.shipped_at &&
  itemsText(one) === itemsText(other)

const itemsText = ({ items }: HeldParcel) =>
  items.map(({ sku, order_line_remote_id: line, quantity }) => `${quantity}×${sku ?? ''}/${line ?? ''}`).join()

/** What the parcels of one order, reported anew, change in those that we hold. */
export interface ParcelNews {
  changed: { before: HeldParcel; after: HeldParcel }[]
  fresh: SyncedParcel[]
}

/**
 * Which one the shop means: by the number, else by its own id; each of ours is meant once. The number comes first, since
 * it is what nobody else's parcel has: a number that another of ours has already is never written twice.
 */
export function compareParcels(held: readonly HeldParcel[], parcels: readonly SyncedParcel[]): ParcelNews {
  const free = new Set(held)
  const meant = new Map<SyncedParcel, HeldParcel>()
  const incoming = onePerNumber(parcels)
  const claim = (key: 'tracking_number' | 'remote_id') => {
    for (const parcel of incoming) {
      if (parcel[key] === null || meant.has(parcel)) continue
      const one = held.find((candidate) => free.has(candidate) && candidate[key] === parcel[key])
      if (!one) continue
      free.delete(one)
      meant.set(parcel, one)
    }
  }
  claim('tracking_number')
  claim('remote_id')
  const changed = [...meant].flatMap(([parcel, before]) => {
    const after = mergeParcel(before, parcel)
    return after ? [{ before, after }] : []
  })
  return { changed, fresh: incoming.filter((parcel) => !meant.has(parcel)) }
}

/** Platforms that note by order line or by warehouse report the same parcel several times: it is one, with all that is in it. */
function onePerNumber(incoming: readonly SyncedParcel[]): SyncedParcel[] {
  const parcels = new Map<string, SyncedParcel>()
  for (const parcel of incoming) {
    const { tracking_number: number, remote_id: id } = parcel
    const key = number === null ? `id ${id}` : `number ${number}`
    const other = parcels.get(key)
    parcels.set(key, other ? together(other, parcel) : parcel)
  }
  return [...parcels.values()]
}

/** Under the id of the first. One that was called off says nothing about the one that was sent in its place. */
function together(one: SyncedParcel, next: SyncedParcel): SyncedParcel {
  if (one.remote_id !== null && one.remote_id === next.remote_id) return next
  if (isOff(one)) return next
  if (isOff(next)) return one
  return { ...next, remote_id: one.remote_id ?? next.remote_id, items: [...one.items, ...next.items] }
}

const isOff = ({ status }: SyncedParcel): boolean => status === 'CANCELLED' || status === 'FAILED'
