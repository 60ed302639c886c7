import type { FieldWordings } from '../../lib/fault.ts'
import { say, tooMany } from '../words/say.ts'
import { exactQuantity, sumQuantities } from './quantities.ts'

/** What of an order is still to be sent, and what a parcel may hold of it: of shops’ orders and of our copies alike. */

interface Line {
  /** Null in orders that were made here. */
  remote_id: string | null
  sku: string | null
  quantity: number
  quantity_fulfilled: number
  quantity_cancelled: number
  /** False of what is only paid for: the goods of a bundle are lines of their own. Unknown of most. */
  requires_shipping?: boolean | null
}

/** So many of a line; by its SKU alone where that is all that anybody has said. */
export interface Part {
  sku?: string | null
  order_line_remote_id?: string | null
  quantity: number
}

export interface Left<L extends Line> {
  line: L
  left: number
}

/**
 * Of each line, by the contents of the parcels that were not called off. Without any parcel nothing counts as sent: an order
 * that was only marked as sent still takes the number of the parcel.
 */
export function leftToSend<L extends Line>(lines: readonly L[], parcels: readonly (readonly Part[])[]): Left<L>[] {
  const sent = lines.map((line) => ({ line, left: line.quantity }))
  for (const part of parcels.flat()) take(sent, part)
  return sent.map(({ line, left }) => {
    const fulfilled = parcels.length === 0 ? 0 : line.quantity_fulfilled
    return {
      line,
      left: Math.max(0, exactQuantity(Math.min(left, line.quantity - fulfilled) - line.quantity_cancelled)),
    }
  })
}

const isOf = (part: Part, line: Line): boolean =>
  part.order_line_remote_id == null
    ? part.sku != null && part.sku === line.sku
    : part.order_line_remote_id === line.remote_id

/** Takes as much as there is, line by line in their order. */
function take<L extends Line>(stock: Left<L>[], part: Part): Left<L>[] {
  let missing = part.quantity
  const taken: Left<L>[] = []
  for (const one of stock.filter(({ line }) => isOf(part, line))) {
    const count = Math.min(one.left, missing)
    if (count <= 0) continue
    one.left = exactQuantity(one.left - count)
    missing = exactQuantity(missing - count)
    taken.push({ line: one.line, left: count })
  }
  return taken
}

export interface Contents {
  sku: string | null
  order_line_remote_id: string | null
  quantity: number
}

export interface Packed<L extends Line> {
  contents: Contents[]
  /** What is left when the parcel has gone. */
  rest: Left<L>[]
  errors: FieldWordings
}

/** The lines that a parcel takes; several where an article is on several. `field` is where the parts were given. */
export function pack<L extends Line>(left: readonly Left<L>[], wanted: readonly Part[], field: string): Packed<L> {
  const stock = left.map((one) => ({ ...one }))
  const packed: Packed<L> = { contents: [], rest: stock, errors: {} }
  for (const [index, part] of wanted.entries()) {
    const key = part.order_line_remote_id == null ? 'sku' : 'order_line_remote_id'
    const there = stock.filter(({ line }) => isOf(part, line))
    if (there.length === 0) {
      const place = `${field}.${index}.${key}`
      packed.errors[place] = [say('not_in_order', { field: place })]
      continue
    }
    const available = sumQuantities(there.map((one) => ({ quantity: one.left })))
    if (available < part.quantity) {
      const place = `${field}.${index}.quantity`
      packed.errors[place] = [tooMany(place, available, 'ship')]
      continue
    }
    for (const { line, left: quantity } of take(stock, part)) {
      packed.contents.push({ sku: line.sku, order_line_remote_id: line.remote_id, quantity })
    }
  }
  return packed
}

/** What must leave for the order to be sent: everything, but for lines that need no sending beside ones that do. */
function needed<L extends Line>(left: readonly Left<L>[]): readonly Left<L>[] {
  const goods = left.filter(({ line }) => line.requires_shipping !== false)
  return goods.length === 0 ? left : goods
}

export const isAllSent = (left: readonly Left<Line>[]): boolean => needed(left).every((one) => one.left === 0)

/** Everything that is left, as the contents of a parcel. */
export const allOf = (left: readonly Left<Line>[]): Contents[] =>
  needed(left).flatMap(({ line, left: quantity }) =>
    quantity > 0 ? [{ sku: line.sku, order_line_remote_id: line.remote_id, quantity }] : [],
  )

export const isOff = ({ status }: { status: string }): boolean => /^(cancelled|failed)$/i.test(status)
