import { decimal } from './amounts.ts'
import { inMicroseconds, toSecond } from './clock.ts'
import type { Platform } from './platform.ts'
import { totalOf, type Variant } from './shop/goods.ts'
import { isSent, type ShopOrder } from './shop/order.ts'
import type { World } from './world.ts'

export type Truth = ReturnType<typeof createTruth>
export type TruthOrder = ReturnType<Truth['orders']>[number]

/** Where an order stands, as far as the platform can tell. */
function statusOf({ orderStatus, tellsArrival = false }: Platform, order: ShopOrder): string {
  const { stage } = order
  if (orderStatus) return orderStatus(order)
  if (!isSent(stage)) return stage === 'cancelled' ? 'CANCELLED' : 'PENDING'
  return tellsArrival && stage !== 'sent' ? 'DELIVERED' : 'SHIPPED'
}

/** What the shop really holds, for comparing: in one form for all platforms, past all weather. */
export function createTruth({ shop }: World, platform: Platform) {
  const { book, stockroom } = shop
  const { locationId } = platform
  const time = (moment: number) => inMicroseconds(platform.shown?.(moment) ?? toSecond(moment))
  const levelsOf = (variant: Variant) => {
    const { sku, stock, stockUpdatedAt } = variant
    const shared = { sku, variant_remote_id: platform.variantId(variant), updated_at: time(stockUpdatedAt) }
    const counts = locationId ? stock : [totalOf(variant)]
    return counts.map((available, place) => ({ ...shared, location_remote_id: locationId?.(place) ?? null, available }))
  }
  return {
    orders: (offset = 0, limit = Number.POSITIVE_INFINITY) =>
      Array.from(book.byNumber().subarray(offset, offset + limit), (index) => {
        const order = book.get(index)
        if (!order) throw new RangeError('An order without order.')
        const { currency, lines, parcels, version } = order
        return {
          remote_id: platform.orderId(index),
          number: platform.orderNumber?.(order) ?? platform.orderId(index),
          status: statusOf(platform, order),
          remote_status: platform.remoteStatus(order),
          /** How far it has come, in the words of `shop/order.ts`, which are the same for all platforms. */
          stage: order.stage,
          /** The status that the shop has invented for it; null for most. */
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
          cancelled_at: order.cancelledAt === null ? null : time(order.cancelledAt),
          version,
        }
      }),
    products: (offset = 0, limit = Number.POSITIVE_INFINITY) =>
      stockroom
        .byNumber()
        .slice(offset, offset + limit)
        .map(({ index, title, status, variants, updatedAt, version }) => ({
          ...{ remote_id: platform.productId(index), title, status, skus: variants.map(({ sku }) => sku) },
          ...{ updated_at: time(updatedAt), version },
        })),
    inventory: (offset = 0, limit = Number.POSITIVE_INFINITY) =>
      stockroom
        .byNumber()
        .flatMap(({ variants }) => variants.flatMap(levelsOf))
        .slice(offset, offset + limit),
  }
}
