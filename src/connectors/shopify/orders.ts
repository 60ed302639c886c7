import type { Cancellation, Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused, shopAway } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, askSized, change, indexWith, isGid, nextIn, since } from './ask.ts'
import { cursorOf, type PagePlace } from './bulk/cursor.ts'
import { countIn, listLarge } from './bulk/large-list.ts'
import { ordersIn } from './bulk/orders.ts'
import { create } from './changes/create-order.ts'
import { completeOrder, completeOrders } from './complete-order.ts'
import {
  bulkOrders,
  cancelOrder,
  jobState,
  oneOrder,
  orderCount,
  orderIndex,
  orderOfPart,
  orderOfReturn,
  orderPage,
} from './documents/orders.ts'
import type { Credentials, Settings, ShopifyShop } from './settings.ts'
import { statuses } from './statuses.ts'
import { toOrder } from './translate-order.ts'

/** Each order brings many parts, and every part is charged for. */
const maxOrders = 50
/** From here on reading in bulk is sooner done than a hundred pages. */
const inBulk = { count: orderCount, name: 'ordersCount', bulk: bulkOrders, many: 5000, itemsOf: ordersIn }

export const orders: Orders<Settings, Credentials> = {
  list: listLarge(inBulk, readPage),
  get: getOrder,
  translate: toOrder,
  statuses: async () => statuses,
  index: indexWith(orderIndex, 'orders'),
  returns: true,
  create,
  takes: ['shipping_method', 'shipping_total', 'tax_total', 'prices_include_tax', 'paid'],
  cancel: { repeatable: true, send: cancel },
}

async function readPage(shop: ShopifyShop, query: ReadQuery, { first: size, after }: PagePlace): Promise<RawPage> {
  const { updatedSince, limit } = query
  const { data, first } = await askSized(shop, orderPage, {
    first: Math.min(limit, size ?? maxOrders),
    after,
    query: since(updatedSince),
    count: after === null,
  })
  const page = fieldsIn(data, 'orders')
  const items = await completeOrders(shop, recordsIn(page, 'nodes'))
  const next = nextIn(page)
  return {
    items,
    next: next === null ? null : cursorOf({ first: first < Math.min(limit, maxOrders) ? first : size, after: next }),
    total: countIn(data, 'ordersCount'),
  }
}

export async function getOrder(shop: ShopifyShop, remoteId: string): Promise<Fields | null> {
  const id = await orderOf(shop, remoteId)
  if (!isGid(id, 'Order')) return null
  const order = maybeFields(await ask(shop, oneOrder, { id }), 'order')
  return order && (await completeOrder(shop, order))
}

/** Messages name parts of an order, and what comes back of it. */
async function orderOf(shop: ShopifyShop, id: string): Promise<string> {
  if (isGid(id, 'FulfillmentOrder')) {
    const part = maybeFields(await ask(shop, orderOfPart, { id }), 'fulfillmentOrder')
    return part ? textIn(part, 'orderId') : ''
  }
  if (!isGid(id, 'Return')) return id
  const back = maybeFields(await ask(shop, orderOfReturn, { id }), 'return')
  const order = back && maybeFields(back, 'order')
  return order ? textIn(order, 'id') : ''
}

const reasons = ['CUSTOMER', 'DECLINED', 'FRAUD', 'INVENTORY', 'STAFF']
const maxChecks = 5

/**
 * A second time is an error there; whoever finds the order cancelled has what was wanted. The platform goes about it on
 * its own time, so it is asked a few times whether it is done.
 */
async function cancel(shop: ShopifyShop, { remoteId, reason, notifyCustomer }: Cancellation): Promise<RemoteOrder> {
  const { settings } = shop
  const before = await getOrder(shop, remoteId)
  if (before === null) throw refused(say('no_such_order'))
  if (before['cancelledAt'] !== null) return toOrder(before, shop)
  const word = reasons.find((one) => one === reason?.toUpperCase())
  const { job } = await change(shop, cancelOrder, {
    id: remoteId,
    reason: word ?? 'OTHER',
    refund: { originalPaymentMethodsRefund: settings.refund_cancelled ?? false },
    notify: notifyCustomer ?? settings.notify_customers ?? false,
    note: word === undefined ? (reason?.slice(0, 255) ?? null) : null,
  })
  for (let looks = 0, done = isDone(job); looks < maxChecks; looks++) {
    if (done) {
      const order = await getOrder(shop, remoteId)
      if (order !== null && order['cancelledAt'] !== null) return toOrder(order, shop)
    }
    done = isDone((await ask(shop, jobState, { id: textIn(fieldsIn({ job }, 'job'), 'id') }))['job'])
  }
  throw shopAway(10)
}

const isDone = (job: unknown): boolean => job == null || (job as Fields)['done'] === true
