import type { Clock } from '../clock.ts'
import { isSent, type Parcel, type Refund, type ShopOrder, type Stage } from './order.ts'
import type { OrderBook, OrderPatch } from './order-book.ts'
import type { Stockroom } from './stockroom.ts'

/** What came of it. A refusal is a sentence; whether a repetition is one is for the dialect to say. */
export type Worked<T> = { ok: true; value: T; changed: boolean } | { ok: false; why: string }

const no = (why: string): { ok: false; why: string } => ({ ok: false, why })
const done = <T>(value: T): Worked<T> => ({ ok: true, value, changed: true })
const before = <T>(value: T): Worked<T> => ({ ok: true, value, changed: false })

const codeOf = (carrier: string): string => carrier.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')

/** `packed`: it is only made up so far; `dispatch` sends it. */
export interface ParcelInput
  extends Pick<Parcel, 'carrier' | 'trackingNumber' | 'trackingUrl'>,
    Partial<Pick<Parcel, 'sentAt' | 'place' | 'reference' | 'packed'>> {
  /** The platform lets goods go that nobody has paid for; such an order stays where it is. */
  beforePaid?: boolean
  /** Null: all that is left. */
  lines: readonly { line: number; quantity: number }[] | null
}

type Tracking = Pick<ParcelInput, 'carrier' | 'trackingNumber' | 'trackingUrl'>

/** Without an amount of its own it is what the lines cost. */
export type RefundInput = Pick<Refund, 'lines' | 'reason' | 'returned' | 'meta'> & { amount: number | null }

/** What outsiders may do to an order. */
export function createOrderWork(book: OrderBook, stockroom: Stockroom, clock: Clock) {
  const change = ({ index }: ShopOrder, patch: OrderPatch) => done(book.change(index, patch))

  function parcelOf({ parcels }: ShopOrder, input: Omit<ParcelInput, 'lines'> & Pick<Parcel, 'lines'>): Parcel {
    const { beforePaid: _, ...told } = input
    const parcel = 1 + Math.max(0, ...parcels.map((one) => one.parcel))
    const usual = { place: 0, reference: null, packed: false, delivered: false, outside: true, sentAt: clock.now() }
    return { ...usual, parcel, carrierCode: codeOf(input.carrier), ...told }
  }
  /** The same parcel, as it is now. */
  function replace(order: ShopOrder, parcel: Parcel, moves: boolean): Worked<Parcel> {
    const parcels = order.parcels.map((one) => (one.parcel === parcel.parcel ? parcel : one))
    book.change(order.index, { ...(moves ? stageWith(order, parcels) : {}), extra: { parcels } })
    return done(parcel)
  }

  return {
    cancel(order: ShopOrder, reason: string | null): Worked<ShopOrder> {
      if (order.stage === 'cancelled') return before(order)
      if (order.parcels.length > 0) return no('An order that has left, even in part, can not be cancelled.')
      return change(order, { stage: 'cancelled', extra: { cancelReason: reason } })
    },
    acknowledge(order: ShopOrder): Worked<ShopOrder> {
      if (order.stage === 'cancelled') return no('A cancelled order can not be acknowledged.')
      if (isUnpaid(order)) return no('The order is not released yet.')
      if (order.acknowledgedAt !== null) return before(order)
      return change(order, { acknowledged: true, extra: { acknowledgedAt: clock.now() } })
    },
    send(order: ShopOrder, input: ParcelInput): Worked<Parcel> {
      if (order.stage === 'cancelled') return no('A cancelled order can not be sent.')
      if (isUnpaid(order) && !input.beforePaid) return no('The order is not released yet.')
      const open = order.lines.map((one) => ({ line: one.line, quantity: one.quantity - one.sent - one.cancelled }))
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
    },
    /** A parcel that was made up goes, perhaps under another tracking number. */
    dispatch: (order: ShopOrder, parcel: Parcel, going: Partial<Tracking> = {}): Worked<Parcel> =>
      parcel.packed
        ? replace(order, { ...parcel, sentAt: clock.tick(), ...going, packed: false }, true)
        : no('The parcel has gone already.'),
    /** Where a shop keeps tracking as a remark: it need not say what was sent, and never says that the order is done. */
    track(order: ShopOrder, input: Omit<ParcelInput, 'lines'> & { lines?: Parcel['lines'] }): Parcel {
      const parcel = parcelOf(order, { lines: [], ...input })
      book.change(order.index, { extra: { parcels: [...order.parcels, parcel] } })
      return parcel
    },
    /** A parcel told again under the same reference: its tracking is corrected, nothing is sent twice. */
    amend(order: ShopOrder, parcel: Parcel, { carrier, trackingNumber, trackingUrl }: Tracking): Worked<Parcel> {
      const isSame = parcel.carrier === carrier && parcel.trackingNumber === trackingNumber
      if (isSame && parcel.trackingUrl === trackingUrl) return before(parcel)
      const carrierCode = carrier === parcel.carrier ? parcel.carrierCode : codeOf(carrier)
      return replace(order, { ...parcel, carrier, carrierCode, trackingNumber, trackingUrl, outside: true }, false)
    },
    /** A parcel that did not leave after all. */
    takeBack(order: ShopOrder, parcel: Parcel): ShopOrder {
      const parcels = order.parcels.filter((one) => one.parcel !== parcel.parcel)
      const open = parcels.length === 0 ? ('paid' as const) : ('part_sent' as const)
      const moves = isSent(order.stage) || order.stage === 'part_sent'
      return book.change(order.index, { ...(moves ? { stage: open } : {}), extra: { parcels } })
    },
    refund(order: ShopOrder, input: RefundInput): Worked<Refund> {
      if (order.stage === 'unpaid') return no('The order is not paid.')
      for (const { line, quantity } of input.lines) {
        const sold = order.lines.find((one) => one.line === line)
        if (!sold) return no(`The order has no line ${line}.`)
        if (quantity > sold.quantity - sold.refunded) return no(`Of line ${line} fewer are left to be refunded.`)
      }
      const amount = input.amount ?? costOf(order, input.lines)
      const refunded = order.refunded + amount
      if (amount <= 0 || refunded > order.total) return no('That is more than is left to be refunded.')
      const refund: Refund = { ...input, refund: order.refunds.length + 1, amount, at: clock.now() }
      const stage = refunded < order.total ? ('part_refunded' as const) : ('refunded' as const)
      for (const { line, quantity } of input.returned ? input.lines : []) {
        const variant = stockroom.bySku(order.lines[line - 1]?.sku ?? '')
        if (variant) stockroom.setStock(variant, 0, (variant.stock[0] ?? 0) + quantity)
      }
      // Money says nothing about goods that have not arrived.
      const arrived = isSent(order.stage) && order.stage !== 'sent'
      book.change(order.index, { ...(arrived ? { stage } : {}), extra: { refunds: [...order.refunds, refund] } })
      return done(refund)
    },
    /** Single lines that will not be sent. The order is cancelled when nothing else is in it. */
    callOff(order: ShopOrder, lines: Refund['lines']): Worked<ShopOrder> {
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
      return change(order, { ...(isAll ? { stage: 'cancelled' } : {}), extra: { calledOff } })
    },
    /** Held back until somebody lets it go. */
    hold: (order: ShopOrder): Worked<ShopOrder> =>
      order.stage === 'paid' || order.stage === 'unpaid'
        ? change(order, { stage: 'held' })
        : no('The order cannot be put on hold.'),
    release: (order: ShopOrder): Worked<ShopOrder> =>
      order.stage === 'held' ? change(order, { stage: 'paid' }) : no('The order is not on hold.'),
    /** Money that was only reserved. */
    capture(order: ShopOrder, amount = order.total - order.captured): Worked<ShopOrder> {
      const captured = order.captured + amount
      if (!isUnpaid(order) || amount <= 0 || captured > order.total) return no('There is nothing to capture.')
      return change(order, captured < order.total ? { extra: { captured } } : { stage: 'paid', extra: { captured } })
    },
    note: ({ index, notes }: ShopOrder, note: string): ShopOrder =>
      book.change(index, { extra: { notes: [...notes, note] } }),
  }
}

const isUnpaid = ({ stage }: ShopOrder): boolean => stage === 'unpaid' || stage === 'held'

const piecesIn = (parts: readonly { quantity: number }[]): number =>
  parts.reduce((sum, { quantity }) => sum + quantity, 0)

/** How far the order has come with these parcels. What is only made up, or not paid for, moves nothing. */
function stageWith(order: ShopOrder, parcels: readonly Parcel[]): { stage?: Stage } {
  const gone = piecesIn(parcels.flatMap((parcel) => (parcel.packed ? [] : parcel.lines)))
  const called = order.lines.reduce((sum, { cancelled }) => sum + cancelled, 0)
  if (isUnpaid(order) || gone === 0) return {}
  return { stage: gone < piecesIn(order.lines) - called ? 'part_sent' : 'sent' }
}

/** So many more pieces of each line: all of them together cost what the line does. */
export const costOf = (order: ShopOrder, lines: Refund['lines']): number =>
  lines.reduce((sum, { line, quantity }) => {
    const sold = order.lines.find((one) => one.line === line)
    if (!sold) return sum
    const upTo = (count: number) => Math.round((sold.total * count) / sold.quantity)
    return sum + upTo(sold.refunded + quantity) - upTo(sold.refunded)
  }, 0)
