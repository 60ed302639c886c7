import { allOf, isAllSent, isOff, type Left, leftToSend, type Part, pack } from '../../commerce/rules/left-to-send.ts'
import { exactQuantity, sumQuantities } from '../../commerce/rules/quantities.ts'
import { say } from '../../commerce/words/say.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import type { Order, OrderItem } from '../orders/order.ts'
import type { ParcelItem } from '../orders/parcels/parcel.ts'
import type { Shipment } from './shipment.ts'

/** What parcels of an order hold, by our copy of both. */

type Held = Pick<Shipment, 'status' | 'items'>

/** What of the order is not in any parcel that goes. */
export const leftOf = ({ items }: Pick<Order, 'items'>, parcels: readonly Held[]): Left<OrderItem>[] =>
  leftToSend(
    items,
    parcels.filter((parcel) => !isOff(parcel)).map((parcel) => parcel.items),
  )

/** What a new parcel holds, line by line: what was asked for, or everything that is left. */
export function contentsOf(
  order: Pick<Order, 'items'>,
  parcels: readonly Held[],
  wanted: readonly Part[] | undefined,
): ParcelItem[] {
  const left = leftOf(order, parcels)
  if (!wanted || wanted.length === 0) return allOf(left)
  if (left.length > 0 && isAllSent(left)) throw invalidField('items', say('nothing_to_ship'))
  const { contents, errors } = pack(left, wanted, 'items')
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return contents
}

/** Whoever reports a parcel again may say what is in it, and can no longer change that. */
export function assertSameContents(held: Pick<Shipment, 'items'>, wanted: readonly Part[] | undefined): void {
  if (!wanted || wanted.length === 0 || held.items.length === 0) return
  const count = (parts: readonly Part[], fits: (part: Part) => boolean) => sumQuantities(parts.filter(fits))
  const all = () => true
  const isSame =
    count(held.items, all) === count(wanted, all) &&
    wanted.every((part) => {
      const key = part.order_line_remote_id == null ? 'sku' : 'order_line_remote_id'
      const fits = (other: Part) => other[key] === part[key]
      return count(held.items, fits) >= count(wanted, fits)
    })
  if (!isSame) throw invalidField('items', say('parcel_contents_fixed'))
}

/** The lines of the order with what has gone of each, when nothing but these parcels is known. */
export const withFulfilled = (order: Pick<Order, 'items'>, left: readonly Left<OrderItem>[]): OrderItem[] =>
  order.items.map((item, index) => {
    const open = left[index]?.left ?? 0
    return {
      ...item,
      quantity_fulfilled: Math.max(
        item.quantity_fulfilled,
        exactQuantity(item.quantity - item.quantity_cancelled - open),
      ),
    }
  })
