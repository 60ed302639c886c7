import { allOf, isAllSent, isOff, type Left, leftToSend, type Part, pack } from '../../commerce/rules/left-to-send.ts'
import { exactQuantity, sumQuantities } from '../../commerce/rules/quantities.ts'
import { say } from '../../commerce/words/say.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import { isKnownToShop, type Order, type OrderItem } from '../orders/order.ts'
import type { ParcelItem } from '../orders/parcels/parcel.ts'
import type { Shipment, ShipmentInput } from './shipment.ts'

/** What parcels of an order hold, by our copy of both. */

type Held = Pick<Shipment, 'status' | 'items'>
type Lines = Pick<Order, 'items'>

/** What of the order is not in any parcel that goes. */
export const leftOf = ({ items }: Lines, parcels: readonly Held[]): Left<OrderItem>[] =>
  leftToSend(
    items,
    parcels.filter((parcel) => !isOff(parcel)).map((parcel) => parcel.items),
  )

/** Its parcels alone say what has gone. */
const byParcelsAlone = ({ items }: Lines): Lines => ({
  items: items.map((item) => ({ ...item, quantity_fulfilled: 0 })),
})

/** Of an order that no shop knows nobody else can say it: what went with a parcel that was called off has not gone. */
export const linesOf = (order: Order): Lines => (isKnownToShop(order) ? order : byParcelsAlone(order))

/** What a new parcel holds, line by line: what was asked for, or everything that is left. */
export function contentsOf(order: Lines, parcels: readonly Held[], wanted: readonly Part[] | undefined): ParcelItem[] {
  const left = leftOf(order, parcels)
  if (!wanted || wanted.length === 0) return allOf(left)
  if (left.length > 0 && isAllSent(left)) throw invalidField('items', say('nothing_to_ship'))
  const { contents, errors } = pack(left, wanted, 'items')
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return contents
}

/**
 * Whoever reports a parcel again may say what is in it, and can no longer change that. One that was called off and goes after all
 * takes what it held, or what is said now, from what the others leave.
 */
export function contentsOfKnown(
  order: Lines,
  parcels: readonly Held[],
  news: { known: Held; status: ShipmentInput['status']; wanted: readonly Part[] | undefined },
): readonly ParcelItem[] {
  const { known, status, wanted } = news
  const said = wanted && wanted.length > 0 ? wanted : undefined
  const comesBack = isOff(known) && status !== undefined && !isOff({ status })
  if (comesBack && (said || known.items.length > 0)) {
    return contentsOf(byParcelsAlone(order), parcels, said ?? known.items)
  }
  assertSameContents(known, said)
  return known.items.length === 0 && said ? contentsOf(order, [], said) : known.items
}

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
export const withFulfilled = (order: Lines, left: readonly Left<OrderItem>[]): OrderItem[] =>
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
