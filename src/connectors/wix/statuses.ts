import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'

export type Words = Pick<
  RemoteOrder,
  'status' | 'hold_reason' | 'payment_status' | 'fulfillment_status' | 'remote_status'
>

/** What can be asked for. An order that is only begun (INITIALIZED) is shown to nobody. */
export const listedStatuses = ['APPROVED', 'CANCELED', 'PENDING', 'REJECTED']

/** Some words are of the order as well as of its payment: what they mean is not said by the word alone. */
export const statuses = shopStatuses({
  ...{ INITIALIZED: 'pending', APPROVED: null, CANCELED: null, PENDING: null, REJECTED: 'cancelled' },
  ...{ NOT_PAID: null, PAID: null, PARTIALLY_PAID: null, PENDING_MERCHANT: null, PARTIALLY_REFUNDED: null },
  ...{ FULLY_REFUNDED: null, DECLINED: null, UNSPECIFIED: null },
  ...{ NOT_FULFILLED: null, PARTIALLY_FULFILLED: null, FULFILLED: null },
})

const payments: Readonly<Record<string, Words['payment_status'] | undefined>> = {
  ...{ NOT_PAID: 'pending', PENDING: 'pending', PENDING_MERCHANT: 'pending', PAID: 'paid' },
  ...{ PARTIALLY_PAID: 'partially_paid', PARTIALLY_REFUNDED: 'partially_refunded', FULLY_REFUNDED: 'refunded' },
  ...{ CANCELED: 'voided', DECLINED: 'failed' },
}

const fulfillments: Readonly<Record<string, Words['fulfillment_status'] | undefined>> = {
  ...{ NOT_FULFILLED: 'unfulfilled', PARTIALLY_FULFILLED: 'partial', FULFILLED: 'fulfilled' },
}

const known = <Word>(table: Readonly<Record<string, Word | undefined>>, word: string): Word | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

const onHold = 'Wix holds the payment back until the merchant has approved it.'

/** Where the order stands, what became of the money and of the goods: three words, and each says its own. */
export function wordsOf(order: Fields, { isSendable }: { isSendable: boolean }): Words {
  const [word, money, goods] = ['status', 'paymentStatus', 'fulfillmentStatus'].map((name) => textIn(order, name))
  const sent = known(fulfillments, goods ?? '')
  const words = {
    payment_status: known(payments, money ?? '') ?? 'unknown',
    fulfillment_status: sent === 'unfulfilled' && !isSendable ? ('not_required' as const) : (sent ?? 'unfulfilled'),
    remote_status: `${word}/${money}/${goods}`,
  }
  const stands = (status: Words['status'], hold_reason: string | null = null): Words => ({
    ...words,
    status,
    hold_reason,
  })
  if (sent === undefined) return { ...words, ...unknownStatus(goods ?? '', null) }
  switch (word) {
    case 'APPROVED':
      if (sent === 'fulfilled') return stands('completed')
      return money === 'PENDING_MERCHANT' ? stands('on_hold', onHold) : stands('open')
    case 'CANCELED':
      return stands('cancelled')
    case 'INITIALIZED':
    case 'PENDING':
      return stands('pending')
    // The payment that it waited for has failed.
    case 'REJECTED':
      return { ...stands('cancelled'), payment_status: 'failed' }
    default:
      return { ...words, ...unknownStatus(word ?? '', null) }
  }
}
