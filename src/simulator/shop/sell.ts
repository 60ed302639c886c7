import { totalOf } from './goods.ts'
import { orderFrom } from './place-order.ts'
import type { Shop } from './shop.ts'

export interface Sale {
  sku: string
  quantity: number
  /** Of the shop's locations, where the platform tells of them. */
  place: number
}

/**
 * The shop's own till: buyers take what it shows, as long as it shows enough, and the shop counts down by itself. Its stock is what the platform shows: at one
 * location, or all of it.
 */
export function createTill({ book, stockroom }: Shop, hasLocations: boolean) {
  function shelfOf({ sku, place }: Pick<Sale, 'sku' | 'place'>) {
    const variant = stockroom.bySku(sku)
    if (!variant) return null
    return {
      shown: hasLocations ? (variant.stock[place] ?? 0) : totalOf(variant),
      set: (quantity: number) =>
        hasLocations ? stockroom.setStock(variant, place, quantity) : stockroom.setTotal(variant, quantity),
    }
  }
  return {
    /** Somebody types a number into the shop. */
    set({ quantity, ...where }: Sale): boolean | null {
      return shelfOf(where)?.set(quantity) ?? null
    },
    /** The index of the order; `sold` is false where the shop shows too little, and null where it has no such article. */
    buy({ quantity, ...where }: Sale): { sold: boolean | null; shown: number; order: number | null } {
      const shelf = shelfOf(where)
      if (!shelf) return { sold: null, shown: 0, order: null }
      if (shelf.shown < quantity) return { sold: false, shown: shelf.shown, order: null }
      const words = { currency: 'EUR', reference: null, note: null, email: 'buyer@example.com' }
      const lines = [{ sku: where.sku, title: null, quantity, unitPrice: null }]
      const base = orderFrom(stockroom, {
        ...words,
        firstName: 'Ada',
        lastName: 'Buyer',
        shipTo: {},
        billTo: {},
        lines,
      })
      if (typeof base === 'string') throw new RangeError(base)
      shelf.set(shelf.shown - quantity)
      return { sold: true, shown: shelf.shown - quantity, order: book.add(base).index }
    },
  }
}
