import { type Moment, second } from '../../clock.ts'
import type { OrderBook } from '../../shop/order-book.ts'
import { indexOf, orderName } from './ids.ts'
import type { Term } from './search.ts'
import { financialStatus, fulfillmentStatus } from './words.ts'

type Test = (index: number) => boolean

const fulfillmentWords: Readonly<Record<string, string | undefined>> = {
  UNSHIPPED: 'UNFULFILLED',
  SHIPPED: 'FULFILLED',
  PARTIAL: 'PARTIALLY_FULFILLED',
}

/** The newest are not found by what stands in them: the search learns of them a little later. */
const searchLag = 5 * second

/** What the terms of a search ask of an order, beside times. Terms that the platform does not know filter nothing. */
export const testsFor = (terms: readonly Term[], book: OrderBook, now: Moment): Test[] =>
  terms.flatMap((term) => testOf(term, book, now) ?? [])

function testOf({ name, value }: Term, book: OrderBook, now: Moment): Test | null {
  const word = value.toUpperCase()
  switch (name) {
    case 'status':
      if (word === 'ANY') return null
      return (index) => word !== 'CLOSED' && (book.stageAt(index) === 'cancelled') === (word === 'CANCELLED')
    case 'financial_status':
      return (index) => financialStatus(book.stageAt(index)) === word
    case 'fulfillment_status': {
      const wanted = fulfillmentWords[word] ?? word
      return (index) => fulfillmentStatus(book.stageAt(index)) === wanted
    }
    case 'source_identifier': {
      const found = book.byReference(value)
      return (index) => index === found && book.placedAt(index) <= now - searchLag
    }
    case 'name':
      return (index) => orderName(index) === value || orderName(index) === `#${value}`
    case 'id':
      return (index) => index === indexOf('Order', `gid://shopify/Order/${value}`)
    default:
      return null
  }
}
