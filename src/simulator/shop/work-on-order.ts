import type { Moment } from '../clock.ts'
import { isSent, type Parcel, type Refund, type ShopOrder, type Stage } from './order.ts'
import type { OrderBook } from './order-book.ts'
import type { Shop } from './shop.ts'

/** What outsiders may do to an order. A refusal is a sentence; whether a repetition is one is for the dialect to say. */
export type Worked<T> = { ok: true; value: T; changed: boolean } | { ok: false; why: string }

const no = (why: string): { ok: false; why: string } => ({ ok: false, why })
const done = <T>(value: T): Worked<T> => ({ ok: true, value, changed: true })
const before = <T>(value: T): Worked<T> => ({ ok: true, value, changed: false })

export function cancelOrder(book: OrderBook, order: ShopOrder, reason: string | null): Worked<ShopOrder> {
  if (order.stage === 'cancelled') return before(order)
  if (order.parcels.length > 0) return no('An order that has left, even in part, can not be cancelled.')
  return done(book.change(order.index, { stage: 'cancelled', extra: { cancelReason: reason } }))
}

export function acknowledgeOrder(book: OrderBook, order: ShopOrder, at: Moment): Worked<ShopOrder> {
  if (order.stage === 'cancelled') return no('A cancelled order can not be acknowledged.')
  if (order.stage === 'unpaid' || order.stage === 'held') return no('The order is not released yet.')
  if (order.acknowledgedAt !== null) return before(order)
  return done(book.change(order.index, { acknowledged: true, extra: { acknowledgedAt: at } }))
}

const codeOf = (carrier: string): string => carrier.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')

/** `packed`: it is only made up so far; `dispatchParcel` sends it. */
export interface ParcelInput
  extends Pick<Parcel, 'carrier' | 'trackingNumber' | 'trackingUrl' | 'sentAt'>,
    Partial<Pick<Parcel, 'place' | 'reference' | 'packed'>> {
  /** The platform lets goods go that nobody has paid for; such an order stays where it is. */
  beforePaid?: boolean
  /** Null: all that is left. */
  lines: readonly { line: number; quantity: number }[] | null
}

function parcelOf({ parcels }: ShopOrder, input: Omit<ParcelInput, 'lines'> & Pick<Parcel, 'lines'>): Parcel {
  const { beforePaid: _, ...told } = input
  const parcel = 1 + Math.max(0, ...parcels.map((one) => one.parcel))
  const usual = { place: 0, reference: null, packed: false, delivered: false, outside: true }
  return { ...usual, parcel, carrierCode: codeOf(input.carrier), ...told }
}

export function sendParcel(book: OrderBook, order: ShopOrder, input: ParcelInput): Worked<Parcel> {
  const { stage } = order
  if (stage === 'cancelled') return no('A cancelled order can not be sent.')
  const unpaid = stage === 'unpaid' || stage === 'held'
  if (unpaid && !input.beforePaid) return no('The order is not released yet.')
  const open = order.lines.map(({ line, quantity, sent, cancelled }) => ({
    line,
    quantity: quantity - sent - cancelled,
  }))
  const lines = (input.lines ?? open).filter(({ quantity }) => quantity > 0)
  if (lines.length === 0) return no('Nothing is left to be sent.')
  for (const { line, quantity } of lines) {
    const left = open.find((one) => one.line === line)?.quantity
    if (left === undefined) return no(`The order has no line ${line}.`)
    if (quantity > left) return no(`Of line ${line} only ${left} are left to be sent.`)
  }
  const parcel = parcelOf(order, { ...input, lines })
  const parcels = [...order.parcels, parcel]
  book.change(order.index, { ...stageWith(order, parcels), acknowledged: true, extra: { parcels } })
  return done(parcel)
}

/** How far the order has come with these parcels. What is only made up, or not paid for, moves nothing. */
function stageWith({ stage, lines }: ShopOrder, parcels: readonly Parcel[]): { stage?: Stage } {
  if (stage === 'unpaid' || stage === 'held') return {}
  const piecesIn = (parts: readonly { quantity: number }[]) => parts.reduce((sum, { quantity }) => sum + quantity, 0)
  const gone = piecesIn(parcels.flatMap((parcel) => (parcel.packed ? [] : parcel.lines)))
  const called = lines.reduce((sum, { cancelled }) => sum + cancelled, 0)
  if (gone === 0) return {}
  return { stage: gone < piecesIn(lines) - called ? 'part_sent' : 'sent' }
}

/** A parcel that was made up goes, perhaps under another tracking number. */
export function dispatchParcel(
  book: OrderBook,
  order: ShopOrder,
  parcel: Parcel,
  going: Pick<Parcel, 'sentAt'> & Partial<Pick<Parcel, 'trackingNumber' | 'trackingUrl'>>,
): Worked<Parcel> {
  if (!parcel.packed) return no('The parcel has gone already.')
  const gone = { ...parcel, ...going, packed: false }
  const parcels = order.parcels.map((one) => (one.parcel === parcel.parcel ? gone : one))
  book.change(order.index, { ...stageWith(order, parcels), extra: { parcels } })
  return done(gone)
}

/** Where a shop keeps tracking as a remark: it need not say what was sent, and never says that the order is done. */
export function addTracking(
  book: OrderBook,
  order: ShopOrder,
  input: Omit<ParcelInput, 'lines'> & { lines?: Parcel['lines'] },
): Parcel {
  const parcel = parcelOf(order, { lines: [], ...input })
  book.change(order.index, { extra: { parcels: [...order.parcels, parcel] } })
  return parcel
}

/** A parcel told again under the same reference: its tracking is corrected, nothing is sent twice. */
export function amendParcel(
  book: OrderBook,
  order: ShopOrder,
  parcel: Parcel,
  input: Pick<ParcelInput, 'carrier' | 'trackingNumber' | 'trackingUrl'>,
): Worked<Parcel> {
  const { carrier, trackingNumber, trackingUrl } = input
  const isSame = parcel.carrier === carrier && parcel.trackingNumber === trackingNumber
  if (isSame && parcel.trackingUrl === trackingUrl) return before(parcel)
  const carrierCode = carrier === parcel.carrier ? parcel.carrierCode : codeOf(carrier)
  const amended = { ...parcel, carrier, carrierCode, trackingNumber, trackingUrl, outside: true }
  const parcels = order.parcels.map((one) => (one.parcel === parcel.parcel ? amended : one))
  book.change(order.index, { extra: { parcels } })
  return done(amended)
}

/** Without an amount of its own it is what the lines cost. */
export type RefundInput = Pick<Refund, 'lines' | 'reason' | 'returned' | 'meta'> & { amount: number | null }

export function refundOrder(shop: Shop, order: ShopOrder, input: RefundInput): Worked<Refund> {
  const { book, stockroom, clock } = shop
  if (order.stage === 'unpaid') return no('The order is not paid.')
  for (const { line, quantity } of input.lines) {
    const sold = order.lines.find((one) => one.line === line)
    if (!sold) return no(`The order has no line ${line}.`)
    if (quantity > sold.quantity - sold.refunded) return no(`Of line ${line} fewer are left to be refunded.`)
  }
  const amount = input.amount ?? costOf(order, input.lines)
  const refunded = order.refunded + amount
  if (amount <= 0 || refunded > order.total) return no('That is more than is left to be refunded.')
  const { lines, returned } = input
  const refund: Refund = { ...input, refund: order.refunds.length + 1, amount, at: clock.now() }
  const stage = refunded < order.total ? ('part_refunded' as const) : ('refunded' as const)
  const refunds = [...order.refunds, refund]
  for (const { line, quantity } of returned ? lines : []) {
    const variant = stockroom.bySku(order.lines[line - 1]?.sku ?? '')
    if (variant) stockroom.setStock(variant, 0, (variant.stock[0] ?? 0) + quantity)
  }
  // Money says nothing about goods that have not arrived.
  const arrived = isSent(order.stage) && order.stage !== 'sent'
  book.change(order.index, { ...(arrived ? { stage } : {}), extra: { refunds } })
  return done(refund)
}

/** So many more pieces of each line: all of them together cost what the line does. */
export const costOf = (order: ShopOrder, lines: Refund['lines']): number =>
  lines.reduce((sum, { line, quantity }) => {
    const sold = order.lines.find((one) => one.line === line)
    if (!sold) return sum
    const upTo = (count: number) => Math.round((sold.total * count) / sold.quantity)
    return sum + upTo(sold.refunded + quantity) - upTo(sold.refunded)
  }, 0)

/** Single lines that will not be sent. The order is cancelled when nothing else is in it. */
export function callOff(book: OrderBook, order: ShopOrder, lines: Refund['lines']): Worked<ShopOrder> {
  if (order.stage === 'cancelled') return no('The order is cancelled.')
  const off = new Map(order.lines.map((line) => [line.line, line.cancelled]))
  for (const { line, quantity } of lines) {
    const sold = order.lines.find((one) => one.line === line)
    if (!sold || quantity > sold.quantity - sold.sent - (off.get(line) ?? 0))
      return no(`Of line ${line} fewer are left to be cancelled.`)
    off.set(line, (off.get(line) ?? 0) + quantity)
  }
  const calledOff = [...off].map(([line, quantity]) => ({ line, quantity }))
  const isAll = order.lines.every(({ line, quantity }) => off.get(line) === quantity)
  return done(book.change(order.index, { ...(isAll ? { stage: 'cancelled' } : {}), extra: { calledOff } }))
}

/** A parcel that did not leave after all. */
export function takeBack(book: OrderBook, order: ShopOrder, parcel: Parcel): ShopOrder {
  const parcels = order.parcels.filter((one) => one.parcel !== parcel.parcel)
  const open = parcels.length === 0 ? ('paid' as const) : ('part_sent' as const)
  const moves = isSent(order.stage) || order.stage === 'part_sent'
  return book.change(order.index, { ...(moves ? { stage: open } : {}), extra: { parcels } })
}

/** Held back until somebody lets it go. */
export function holdOrder(book: OrderBook, order: ShopOrder): Worked<ShopOrder> {
  if (order.stage !== 'paid' && order.stage !== 'unpaid') return no('The order cannot be put on hold.')
  return done(book.change(order.index, { stage: 'held' }))
}

export const releaseOrder = (book: OrderBook, order: ShopOrder): Worked<ShopOrder> =>
  order.stage === 'held' ? done(book.change(order.index, { stage: 'paid' })) : no('The order is not on hold.')

/** Money that was only reserved. */
export const captureMoney = (book: OrderBook, order: ShopOrder): Worked<ShopOrder> =>
  order.stage === 'held' || order.stage === 'unpaid'
    ? done(book.change(order.index, { stage: 'paid' }))
    : no('There is nothing to capture.')

export const writeNote = (book: OrderBook, { index, notes }: ShopOrder, note: string): ShopOrder =>
  book.change(index, { extra: { notes: [...notes, note] } })
