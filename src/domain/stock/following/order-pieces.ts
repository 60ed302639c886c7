import type { OrderReturn } from '../../../commerce/order.ts'
import type { OrderItem, OrderStatus } from '../../orders/order.ts'
import { mostPieces } from '../stock.ts'

/** An order as the shared stock looks at it. */
export interface StockOrder {
  id: number
  status: OrderStatus
  items: readonly Pick<
    OrderItem,
    | 'remote_id'
    | 'product_remote_id'
    | 'variant_remote_id'
    | 'sku'
    | 'quantity'
    | 'quantity_fulfilled'
    | 'quantity_cancelled'
    | 'quantity_refunded'
  >[]
  returns: readonly OrderReturn[]
  deleted: boolean
}

/** The pieces in so many units, as far as anybody could have them. */
export const piecesIn = (units: number, perUnit: number): number =>
  Math.min(units, Math.floor(mostPieces / perUnit)) * perUnit

/** What becomes of the units of one line. */
export interface Pieces {
  reserved: number
  sold: number
  returned: number
}

/** A line of an order as it stands, in units. */
export interface OrderLine {
  line: string
  variantId: string | null
  productId: string | null
  sku: string | null
  /** Less what was cancelled. */
  ordered: number
  fulfilled: number
  hasLeft: boolean
  /** What has not left is held back for it. */
  holds: boolean
  paidBack: boolean
  returned: number
  /** Refunded before they had left; null where that can no longer be told from what came back. */
  dropped: number | null
}

const left: readonly OrderStatus[] = ['SHIPPED', 'DELIVERED']
const open: readonly OrderStatus[] = ['UNPAID', 'ON_HOLD', 'PENDING', 'ACKNOWLEDGED']
const received: readonly OrderReturn['status'][] = ['received', 'completed']

/** Some shops sell by weight: a begun piece is a piece. */
const whole = (quantity: number) => Math.min(mostPieces, Math.max(0, Math.ceil(quantity)))

/** The lines of an order as it is now, whatever it was before. */
export function linesOf({ status, items, returns, deleted }: StockOrder): OrderLine[] {
  const named = new Map<string, number>()
  return items.map((item, n) => {
    const name = item.remote_id ?? `#${n}`
    // Where a shop calls two lines the same, what came back is the first one's.
    const nth = (named.get(name) ?? 0) + 1
    named.set(name, nth)
    const cancelled = whole(item.quantity_cancelled)
    const ordered = Math.max(0, whole(item.quantity) - cancelled)
    const fulfilled = Math.min(ordered, whole(item.quantity_fulfilled))
    const holds = open.includes(status) && !deleted
    // Platforms that cancel by refunding say both. Those that had left are taken to be refunded first: nothing is free that may be due.
    const dropped = Math.max(0, whole(item.quantity_refunded) - cancelled - fulfilled)
    return {
      line: nth === 1 ? name : `${name}#${nth}`,
      variantId: item.variant_remote_id,
      productId: item.product_remote_id,
      sku: item.sku,
      ...{ ordered, fulfilled, holds, hasLeft: left.includes(status), paidBack: status === 'REFUNDED' },
      returned: nth === 1 ? returnedIn(returns, item.remote_id) : 0,
      dropped: holds ? Math.min(dropped, ordered - fulfilled) : null,
    }
  })
}

/**
 * What becomes of the units of a line: what is held back, what has left, what came back. `was` is what the ledger has of it, in units: money that goes back
 * brings no goods back, and what was refunded before it could leave does not leave later.
 */
export function piecesOf(
  line: OrderLine,
  was: { sold: number; dropped: number } = { sold: 0, dropped: 0 },
): Pieces & { dropped: number } {
  const dropped = line.dropped ?? was.dropped
  const gone = line.hasLeft ? Math.max(line.fulfilled, line.ordered - dropped) : line.fulfilled
  const sold = line.paidBack ? Math.max(gone, Math.min(line.ordered, was.sold)) : gone
  return {
    reserved: line.holds ? Math.max(0, line.ordered - sold - dropped) : 0,
    sold,
    returned: Math.min(sold, line.returned),
    dropped,
  }
}

const returnedIn = (returns: readonly OrderReturn[], line: string | null): number =>
  line === null
    ? 0
    : returns
        .filter(({ status }) => received.includes(status))
        .flatMap(({ lines }) => lines)
        .filter((one) => one.order_line_remote_id === line)
        .reduce((sum, { quantity }) => sum + whole(quantity), 0)

export interface Step {
  kind: 'reservation' | 'release' | 'sale' | 'return' | 'correction'
  on_hand_by: number
  reserved_by: number
}

/** The movements that lead from what the ledger has of a line to what the order says. */
export function stepsBetween(was: Pieces, is: Pieces): Step[] {
  const steps: Step[] = []
  let reserve = is.reserved - was.reserved
  const sell = is.sold - was.sold
  if (sell > 0) {
    const fromReserved = Math.min(sell, Math.max(0, -reserve))
    steps.push({ kind: 'sale', on_hand_by: -sell, reserved_by: fromReserved === 0 ? 0 : -fromReserved })
    reserve += fromReserved
  }
  // A parcel that did not leave after all.
  if (sell < 0) steps.push({ kind: 'correction', on_hand_by: -sell, reserved_by: 0 })
  if (reserve > 0) steps.push({ kind: 'reservation', on_hand_by: 0, reserved_by: reserve })
  if (reserve < 0) steps.push({ kind: 'release', on_hand_by: 0, reserved_by: reserve })
  const back = is.returned - was.returned
  if (back > 0) steps.push({ kind: 'return', on_hand_by: back, reserved_by: 0 })
  if (back < 0) steps.push({ kind: 'correction', on_hand_by: back, reserved_by: 0 })
  return steps
}
