import { type Fields, idIn } from '../../../commerce/reading.ts'
import { exactQuantity } from '../../../commerce/rules/quantities.ts'
import { say } from '../../../commerce/words/say.ts'
import { Unreadable } from '../../../lib/words/unreadable.ts'

/** Goods by weight or length have quantities that are no whole numbers, of which the platform keeps four places. */
export function quantityIn(item: Fields, name: string): number {
  const reported = item[name] ?? 0
  if (typeof reported !== 'number' || !Number.isFinite(reported)) throw new Unreadable(say('no_number', { name }))
  return exactQuantity(reported)
}

export const partsOf = (item: Fields, items: readonly Fields[]): Fields[] => {
  const id = idIn(item, 'item_id')
  return items.filter((one) => one['parent_item_id'] != null && idIn(one, 'parent_item_id') === id)
}

export const isBundle = (item: Fields, items: readonly Fields[]): boolean =>
  item['product_type'] === 'bundle' && partsOf(item, items).length > 0

/** How many of a part are in one bundle. */
export const perBundle = (part: Fields, bundle: Fields): number =>
  exactQuantity(quantityIn(part, 'qty_ordered') / quantityIn(bundle, 'qty_ordered'))

export interface Counts {
  quantity: number
  quantity_fulfilled: number
  quantity_cancelled: number
  quantity_refunded: number
}

/**
 * What was paid back and has not been sent is not going to be: the platform's own rule for what is left to ship is ordered,
 * less the greater of shipped and refunded, less cancelled. Of a cancelled order nothing else leaves, whatever its items say:
 * those that are not invoiced themselves are never counted as cancelled there.
 */
export function countsOf(item: Fields, { also = item, cancelled }: { also?: Fields; cancelled: boolean }): Counts {
  const count = (name: string) => Math.max(quantityIn(item, name), quantityIn(also, name))
  const quantity = quantityIn(item, 'qty_ordered')
  const [shipped, refunded, off] = [count('qty_shipped'), count('qty_refunded'), quantityIn(item, 'qty_canceled')]
  const left = Math.max(0, exactQuantity(quantity - Math.max(shipped, refunded) - off))
  return {
    quantity,
    quantity_fulfilled: shipped,
    quantity_cancelled: Math.max(0, exactQuantity(quantity - shipped - (cancelled ? 0 : left))),
    quantity_refunded: refunded,
  }
}
