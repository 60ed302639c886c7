import { convert } from '../amounts.ts'
import { day, hour, type Moment, minute } from '../clock.ts'
import { deriveParcels } from './derive-order.ts'
import {
  type BaseLine,
  customStatusOf,
  isSent,
  type OrderBase,
  type OrderLine,
  type Parcel,
  type Refund,
  type ShopOrder,
  type Stage,
} from './order.ts'

/** What has happened to one order since it was placed, as the columns of the book hold it. */
export interface OrderState {
  index: number
  stage: Stage
  version: number
  placedAt: Moment
  updatedAt: Moment
  acknowledged: boolean
  /** How long after the order its first parcel leaves. */
  packing: Moment
  /** How often somebody changed the note, and raised the price of sending. */
  noteEdits: number
  surcharges: number
}

/** What is known beyond that: only for the few orders that somebody worked on. */
export interface OrderExtra {
  made?: OrderBase
  note?: string
  /** What the people at the shop, and outsiders, have written for each other. */
  notes?: readonly string[]
  tags?: readonly string[]
  parcels?: readonly Parcel[]
  refunds?: readonly Refund[]
  /** What was called off of single lines. */
  calledOff?: Refund['lines']
  /** It was paid before it was put on hold. */
  paidBefore?: boolean
  captured?: number
  cancelledAt?: Moment
  cancelReason?: string | null
  acknowledgedAt?: Moment
  meta?: readonly { key: string; value: string }[]
}

export function assembleOrder(base: OrderBase, state: OrderState, extra: OrderExtra | undefined): ShopOrder {
  const { stage, placedAt } = state
  const sent = extra?.parcels ?? deriveParcels(state, base.lines)
  const arrived = isSent(stage) && stage !== 'sent'
  const parcels = arrived ? sent.map((parcel) => ({ ...parcel, delivered: true })) : sent
  const off = extra?.calledOff ?? []
  const sold = base.lines.map((line, i) => lineOf(base, line, i + 1, stage, parcels, off))
  const shipping = base.shipping + state.surcharges * convert(100, base.currency)
  const sum = (amount: (line: OrderLine) => number) => sold.reduce((total, line) => total + amount(line), 0)
  const goods = sum(({ unitPrice, quantity }) => unitPrice * quantity)
  const discount = sum((line) => line.discount)
  const tax = sum((line) => line.tax)
  const total = goods - discount + shipping + (base.taxIncluded ? 0 : tax)
  const refunds = extra?.refunds ?? deriveRefunds(state, sold, total)
  const lines = sold.map((line) => ({ ...line, refunded: refundedOf(line.line, refunds) }))
  const note = extra?.note ?? base.note
  const { packing: _, ...shown } = state
  return {
    ...base,
    ...shown,
    lines,
    parcels,
    shipping,
    goods,
    discount,
    tax,
    total,
    refunded: refunds.reduce((sum, { amount }) => sum + amount, 0),
    refunds,
    customStatus: extra?.made ? null : customStatusOf(state.index, stage),
    note: state.noteEdits === 0 ? note : `${note ?? 'Changed'} (edit ${state.noteEdits})`,
    cancelledAt: stage === 'cancelled' ? (extra?.cancelledAt ?? placedAt + hour) : null,
    cancelReason: stage === 'cancelled' ? (extra?.cancelReason ?? 'customer') : null,
    acknowledgedAt: state.acknowledged ? (extra?.acknowledgedAt ?? placedAt + minute) : null,
    acknowledgeBy: placedAt + 4 * hour,
    meta: extra?.meta ?? [],
    notes: extra?.notes ?? [],
    captured: extra?.captured ?? 0,
    paidBefore: extra?.paidBefore === true,
    tags: extra?.tags ?? base.tags,
  }
}

function lineOf(
  base: OrderBase,
  line: BaseLine,
  number: number,
  stage: Stage,
  parcels: readonly Parcel[],
  off: Refund['lines'],
): OrderLine {
  let sent = 0
  for (const parcel of parcels) for (const part of parcel.lines) if (part.line === number) sent += part.quantity
  const net = line.unitPrice * line.quantity - line.discount
  const { taxRate: rate } = base
  const byRate = base.taxIncluded ? (net * rate) / (100 + rate) : (net * rate) / 100
  const tax = line.tax ?? Math.round(byRate)
  const cancelled = stage === 'cancelled' ? line.quantity - sent : piecesOf(number, off)
  return { ...line, line: number, sent, cancelled, refunded: 0, tax, total: base.taxIncluded ? net : net + tax }
}

/** Everything, or of every second order one piece, or of the others some money for the trouble. */
function deriveRefunds({ index, stage, placedAt }: OrderState, lines: readonly OrderLine[], total: number): Refund[] {
  if (stage !== 'refunded' && stage !== 'part_refunded') return []
  const shared = { refund: 1, at: placedAt + 10 * day }
  if (stage === 'refunded') {
    const all = lines.map(({ line, quantity }) => ({ line, quantity }))
    return [{ ...shared, amount: total, reason: 'Sent back', lines: all, returned: true }]
  }
  const [first] = lines
  if (!first || index % 2 === 1)
    return [{ ...shared, amount: Math.floor(total / 4), reason: 'Courtesy', lines: [], returned: false }]
  const amount = Math.floor(first.total / first.quantity)
  return [{ ...shared, amount, reason: 'Damaged', lines: [{ line: 1, quantity: 1 }], returned: index % 4 === 0 }]
}

const refundedOf = (line: number, refunds: readonly Refund[]): number =>
  piecesOf(
    line,
    refunds.flatMap(({ lines }) => lines),
  )

const piecesOf = (line: number, parts: Refund['lines']): number =>
  parts.filter((one) => one.line === line).reduce((sum, { quantity }) => sum + quantity, 0)
