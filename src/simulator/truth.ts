import { decimal } from './amounts.ts'
import { inMicroseconds, toSecond } from './clock.ts'
import type { Platform } from './platform.ts'
import { locations } from './shop/goods.ts'
import type { Stage } from './shop/order.ts'
import { totalOf } from './shop/stockroom.ts'
import type { World } from './world.ts'

/** What the shop really holds, for comparing: in one form for all platforms, past all weather. */
export interface TruthOrder {
  remote_id: string
  number: string
  /** PENDING, SHIPPED, DELIVERED or CANCELLED, as far as the platform can tell them apart. */
  status: string
  /** The platform's own word. */
  remote_status: string
  /** How far it has come, in the words of `shop/order.ts`, which are the same for all platforms. */
  stage: Stage
  /** The status that the shop has invented for it; null for most. */
  custom_status: string | null
  currency: string
  total: string
  refunded: string
  acknowledged: boolean
  acknowledge_by: string
  lines: number
  parcels: number
  placed_at: string
  updated_at: string
  version: number
}

export interface TruthProduct {
  remote_id: string
  title: string
  status: string
  skus: readonly string[]
  updated_at: string
  version: number
}

export interface TruthLevel {
  sku: string
  variant_remote_id: string
  location_remote_id: string | null
  available: number
  updated_at: string
}

export interface Truth {
  orders(offset?: number, limit?: number): readonly TruthOrder[]
  products(offset?: number, limit?: number): readonly TruthProduct[]
  inventory(offset?: number, limit?: number): readonly TruthLevel[]
}

export function createTruth({ shop }: World, platform: Platform): Truth {
  const { book, stockroom } = shop
  const time = (moment: number) => inMicroseconds(platform.shown?.(moment) ?? toSecond(moment))
  return {
    orders: (offset = 0, limit = Number.POSITIVE_INFINITY) =>
      Array.from(book.byNumber().subarray(offset, offset + limit), (index) => {
        const order = book.get(index)
        if (!order) throw new RangeError('An order without order.')
        const { currency, lines, parcels, version } = order
        return {
          remote_id: platform.orderId(index),
          number: platform.orderNumber?.(order) ?? platform.orderId(index),
          ...platform.orderStatus(order),
          stage: order.stage,
          custom_status: order.customStatus,
          currency,
          total: decimal(platform.shownTotal?.(order) ?? order.total, currency),
          refunded: decimal(order.refunded, currency),
          acknowledged: order.acknowledgedAt !== null,
          acknowledge_by: time(order.acknowledgeBy),
          lines: lines.length,
          parcels: parcels.length,
          placed_at: time(order.placedAt),
          updated_at: time(order.updatedAt),
          version,
        }
      }),
    products: (offset = 0, limit = Number.POSITIVE_INFINITY) =>
      stockroom
        .byChange()
        .toSorted((a, b) => a.index - b.index)
        .slice(offset, offset + limit)
        .map(({ index, title, status, variants, updatedAt, version }) => ({
          ...{ remote_id: platform.productId(index), title, status, skus: variants.map(({ sku }) => sku) },
          ...{ updated_at: time(updatedAt), version },
        })),
    inventory: (offset = 0, limit = Number.POSITIVE_INFINITY) =>
      stockroom
        .variantsByChange()
        .toSorted((a, b) => a.product - b.product || a.position - b.position)
        .flatMap((variant): TruthLevel[] => {
          const shared = { sku: variant.sku, variant_remote_id: platform.variantId(variant) }
          const updated_at = time(variant.stockUpdatedAt)
          const { locationId } = platform
          if (locationId) {
            return locations.map((_, place) => ({
              ...{ ...shared, location_remote_id: locationId(place), available: variant.stock[place] ?? 0, updated_at },
            }))
          }
          return [{ ...shared, location_remote_id: null, available: totalOf(variant), updated_at }]
        })
        .slice(offset, offset + limit),
  }
}
