import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

/** How far a part of a line has come. What was paid back had been sent. */
const steps = ['Created', 'Acknowledged', 'Shipped', 'Refund', 'Delivered', 'Cancelled'] as const
type Step = (typeof steps)[number]

export interface LinePart {
  step: Step
  /** The platform's word, where it is none of these. */
  unknown: string | null
  quantity: number
  tracking: Fields | null
  reason: unknown
}

const isStep = (status: string): status is Step => (steps as readonly string[]).includes(status)

/** A line reports how many of it are where. */
export const partsOf = (line: Fields): LinePart[] =>
  recordsIn(fieldsIn(line, 'orderLineStatuses'), 'orderLineStatus').map((part) => {
    const step = textIn(part, 'status')
    return {
      // As long as nobody knows it, nothing of it has left.
      ...(isStep(step) ? { step, unknown: null } : { step: 'Created', unknown: step }),
      quantity: quantityIn(part, 'statusQuantity'),
      tracking: maybeFields(part, 'trackingInfo'),
      reason: part['cancellationReason'],
    }
  })

export function quantityIn(fields: Fields, name: string): number {
  const reported = textIn(fieldsIn(fields, name), 'amount')
  if (!/^\d{1,9}$/.test(reported)) throw new Unreadable(say('no_quantity', { value: reported }))
  return Number(reported)
}

export const countOf = (parts: readonly LinePart[], ...wanted: readonly Step[]): number =>
  parts.filter(({ step }) => wanted.includes(step)).reduce((count, { quantity }) => count + quantity, 0)

type Words = Pick<RemoteOrder, 'status' | 'hold_reason' | 'fulfillment_status' | 'remote_status'>

/** An order has no status: it is where the last of its lines is that has not been cancelled. */
export function wordsOf(parts: readonly LinePart[]): Words {
  const alive = parts.filter(({ step }) => step !== 'Cancelled')
  const hold_reason = null
  if (alive.length === 0)
    return { status: 'cancelled', hold_reason, fulfillment_status: 'unfulfilled', remote_status: 'Cancelled' }
  const some = countOf(alive, 'Shipped', 'Refund', 'Delivered') > 0
  const fulfillment_status = some ? 'partial' : 'unfulfilled'
  const unknown = alive.find((part) => part.unknown !== null)?.unknown
  if (unknown) return { ...unknownStatus(unknown, null), fulfillment_status, remote_status: unknown }
  const last = Math.min(...alive.map(({ step }) => steps.indexOf(step)))
  const reported = steps[last] ?? 'Created'
  if (last >= steps.indexOf('Shipped')) {
    const arrived = reported === 'Delivered' ? 'delivered' : 'fulfilled'
    return { status: 'completed', hold_reason, fulfillment_status: arrived, remote_status: reported }
  }
  return { status: 'open', hold_reason, fulfillment_status, remote_status: reported }
}

export const statuses = shopStatuses({
  Created: 'open',
  Acknowledged: 'open',
  Shipped: null,
  Refund: 'completed',
  Delivered: 'completed',
  Cancelled: 'cancelled',
} satisfies Record<Step, RemoteOrder['status'] | null>)

/** The status of lines to ask for, where one alone is meant; undefined is all. */
export const statusFor = (wanted: readonly RemoteOrder['status'][]): Step | undefined =>
  wanted.length > 0 && wanted.every((status) => status === 'cancelled') ? 'Cancelled' : undefined
