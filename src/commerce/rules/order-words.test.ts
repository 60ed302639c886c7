import { describe, expect, test } from 'vitest'
import { orderStatusOf, type RemoteOrder } from '../order.ts'
import { shopStatuses, unknownWords, wantedOrders } from './order-words.ts'

type Answers = Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status'>

describe('the status of an order', () => {
  test.each<[Answers['status'], Answers['payment_status'], Answers['fulfillment_status'], string]>([
    ['open', 'paid', 'unfulfilled', 'PENDING'],
    ['open', 'paid', 'partial', 'PENDING'],
    // Paid on delivery or on account: the shop lets it go.
    ['open', 'pending', 'unfulfilled', 'PENDING'],
    ['open', 'partially_refunded', 'unfulfilled', 'PENDING'],
    ['open', 'failed', 'unfulfilled', 'UNPAID'],
    ['open', 'voided', 'unfulfilled', 'UNPAID'],
    ['open', 'refunded', 'unfulfilled', 'REFUNDED'],
    ['open', 'refunded', 'partial', 'REFUNDED'],
    ['pending', 'pending', 'unfulfilled', 'UNPAID'],
    ['pending', 'authorized', 'unfulfilled', 'UNPAID'],
    ['on_hold', 'paid', 'unfulfilled', 'ON_HOLD'],
    ['on_hold', 'refunded', 'unfulfilled', 'REFUNDED'],
    ['open', 'paid', 'fulfilled', 'SHIPPED'],
    ['completed', 'paid', 'not_required', 'SHIPPED'],
    ['completed', 'refunded', 'fulfilled', 'SHIPPED'],
    ['completed', 'paid', 'delivered', 'DELIVERED'],
    ['cancelled', 'refunded', 'fulfilled', 'CANCELLED'],
    ['cancelled', 'paid', 'delivered', 'CANCELLED'],
  ])('%s, %s and %s is %s', (status, payment_status, fulfillment_status, word) => {
    expect(orderStatusOf({ status, payment_status, fulfillment_status })).toBe(word)
  })
})

describe('orders that are asked for by a word', () => {
  const theirs = shopStatuses({ processing: 'open', 'on-hold': 'on_hold', PAID: null, UNFULFILLED: null })
  const order = (remote_status: string, answers: Partial<Answers> = {}) =>
    ({
      status: 'open',
      payment_status: 'paid',
      fulfillment_status: 'unfulfilled',
      remote_status,
      ...answers,
    }) as RemoteOrder

  test('are those of our word, in capitals or not', () => {
    for (const word of ['PENDING', 'pending', 'open', 'acknowledged']) {
      const { matches, narrowing } = wantedOrders([word], theirs)
      expect([matches(order('x')), matches(order('x', { status: 'cancelled' })), narrowing]).toEqual([
        true,
        false,
        ['open'],
      ])
    }
    const done = wantedOrders(['completed'], theirs)
    expect(done.matches(order('x', { fulfillment_status: 'delivered' }))).toBe(true)
    expect(done.matches(order('x'))).toBe(false)
  })

  test('or of the shop’s own, whole or by its half', () => {
    expect(wantedOrders(['Processing'], theirs).matches(order('processing'))).toBe(true)
    expect(wantedOrders(['processing'], theirs).matches(order('on-hold'))).toBe(false)
    expect(wantedOrders(['unfulfilled'], theirs).matches(order('PAID/UNFULFILLED'))).toBe(true)
    expect(wantedOrders(['PAID/UNFULFILLED'], theirs).matches(order('PAID/UNFULFILLED'))).toBe(true)
    expect(wantedOrders(['processing'], theirs).narrowing).toEqual(['open'])
  })

  test('are asked for without a selection where one word could be any of the shop’s answers', () => {
    for (const words of [['UNPAID'], ['REFUNDED', 'CANCELLED'], ['PAID'], ['SHIPPED']]) {
      expect(wantedOrders(words, theirs).narrowing).toEqual([])
    }
    expect(wantedOrders(['CANCELLED', 'ON_HOLD'], theirs).narrowing).toEqual(['cancelled', 'on_hold'])
  })

  test('are not those of a word that nobody has', () => {
    expect(unknownWords(['PENDING', 'processing', 'PAID/UNFULFILLED', 'PAID/x', 'nonsense'], theirs)).toEqual([
      'PAID/x',
      'nonsense',
    ])
  })
})
