import type { OrderReturn } from '../../../commerce/order.ts'
import { speaker, textOf, type Wording } from '../../../lib/words/wording.ts'

/** Notes of ours in the history of an order. Other languages are in `web/components/reasons`; a test holds them against this. */
export const historySentences = {
  'history.deleted_in_shop': 'Deleted in the shop.',
  'history.deleted_here': 'Deleted here, and customer data with it.',
  'history.redacted': 'Customer data redacted (platform request).',
  'history.cancel_wanted': 'The buyer asked for the order to be cancelled.',
  'history.cancel_withdrawn': 'The buyer no longer wants the order cancelled.',
  'history.return_requested': 'A return was requested.',
  'history.return_is': 'A return is {status}.',
  return_unknown: 'unknown',
  return_requested: 'requested',
  return_approved: 'approved',
  return_partially_received: 'partially received',
  return_received: 'received',
  return_completed: 'completed',
  return_declined: 'declined',
  return_cancelled: 'cancelled',
  'history.notes': '{all}',
  'history.erased': 'Customer data erased on request.',
  'history.redacted_late':
    'Customer data redacted {days} days after delivery, or after shipping where delivery is not known.',
} as const

export const historyWords = speaker(historySentences)

/** For the history of the order. */
export const returnNote = ({ status, isRequest }: { status: OrderReturn['status']; isRequest: boolean }): Wording =>
  isRequest
    ? historyWords('history.return_requested')
    : historyWords('history.return_is', { status: historyWords(`return_${status}`) })

/** Several as one; null where there are none. What somebody has written is sealed, so it has no code beside it that would repeat it. */
export function oneNote(notes: readonly (string | Wording)[]): string | Wording | null {
  const ours = notes.filter((note) => typeof note !== 'string')
  if (ours.length < notes.length) return notes.map((note) => textOf(note)).join(' ')
  return ours.length > 1 ? historyWords('history.notes', { all: ours }) : (ours[0] ?? null)
}
