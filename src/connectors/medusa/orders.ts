import type { IndexPage, IndexWindow, RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { bodyOf, type Fields, idIn, maybeFields, recordsIn, timeIn, timeOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import { byIds, oneAt, pageBy } from './pages.ts'
import type { MedusaShop } from './settings.ts'
import { statusesFor } from './statuses.ts'
import { changedAt, toOrder, versionOf } from './translate-order.ts'

const path = '/admin/orders'
const pathOf = (remoteId: string) => `${path}/${encodeURIComponent(remoteId)}`

const glanced =
  'id,version,created_at,updated_at,payment_collections.updated_at,payment_collections.payments.updated_at'

const orderFields = [
  'id,display_id,version,status,email,currency_code,customer_id,sales_channel_id,metadata,created_at,updated_at,canceled_at',
  'payment_status,fulfillment_status,total,tax_total,discount_total,item_subtotal,shipping_total',
  '*items,*items.detail,*shipping_methods,*shipping_address,*billing_address,*customer,*summary',
  '*returns,*returns.items,*returns.items.reason',
  '*fulfillments,*fulfillments.labels,*fulfillments.items,*payment_collections,*payment_collections.payments,*payment_collections.payments.refunds',
].join(',')

const inFull = { path, name: 'orders', fields: orderFields }
const payments = {
  path: '/admin/payments',
  name: 'payments',
  fields: 'id,amount,currency_code,provider_id,updated_at,payment_collection.order.id',
}

const ordersFirst = 'o'
const paymentsThen = 'p'

/** What has changed is first the orders, then those of which only a payment has: that does not move the order's time. */
export async function listOrders(shop: MedusaShop, query: ReadQuery): Promise<RawPage> {
  if (query.statuses.length > 0) return await listByStatus(shop, query)
  if (query.updatedSince === null)
    return await pageBy('created_at', shop, inFull, { cursor: query.cursor, limit: query.limit })
  const since = timeOf(query.updatedSince)
  const [stage = ordersFirst, ...rest] = query.cursor?.split('|') ?? []
  const place = { updatedSince: since, cursor: rest.join('|') || null, limit: query.limit }
  const page = stage === paymentsThen ? await paidSince(shop, since, place) : await changedSince(shop, since, place)
  if (page.next !== null) return { ...page, next: `${stage}|${page.next}` }
  return { ...page, next: stage === ordersFirst ? paymentsThen : null }
}

type Place = { updatedSince: string; cursor: string | null; limit: number }

async function changedSince(shop: MedusaShop, since: string, place: Place): Promise<RawPage> {
  const page = await pageBy('updated_at', shop, inFull, place)
  return { ...page, items: page.items.filter((order) => timeIn(order, 'updated_at') >= since), total: null }
}

/** Each once: with the first of its payments that has changed. */
async function paidSince(shop: MedusaShop, since: string, place: Place): Promise<RawPage> {
  const page = await pageBy('updated_at', shop, payments, place)
  const changed = page.items.filter((payment) => timeIn(payment, 'updated_at') >= since)
  const here = new Set(changed.map((payment) => idIn(payment, 'id')))
  // Carts that were never placed have payments as well.
  const ids = changed.flatMap((payment) => {
    const order = maybeFields(maybeFields(payment, 'payment_collection') ?? {}, 'order')
    return order ? [idIn(order, 'id')] : []
  })
  const orders = await byIds(shop, inFull, [...new Set(ids)])
  const items = orders.filter((order) => {
    const [first] = recordsIn(order, 'payment_collections')
      .flatMap((collection) => recordsIn({ rows: collection['payments'] ?? [] }, 'rows'))
      .filter((payment) => timeIn(payment, 'updated_at') >= since)
      .map((payment) => `${timeIn(payment, 'updated_at')} ${idIn(payment, 'id')}`)
      .sort()
    return timeIn(order, 'updated_at') < since && first !== undefined && here.has(first.split(' ')[1] ?? '')
  })
  return { items, next: page.next, total: null }
}

async function listByStatus(shop: MedusaShop, query: ReadQuery): Promise<RawPage> {
  const since = query.updatedSince === null ? '' : timeOf(query.updatedSince)
  const list = { ...inFull, filter: { 'status[]': statusesFor(query.statuses) } }
  const page = await pageBy('created_at', shop, list, { cursor: query.cursor, limit: query.limit })
  return { ...page, items: page.items.filter((order) => changedAt(order) >= since), total: null }
}

/** Orders that were placed not long before, with their payments; then those before that have changed themselves. */
export async function indexOrders(shop: MedusaShop, { from, to, cursor }: IndexWindow): Promise<IndexPage> {
  const days = shop.settings.follow_days ?? 90
  const whole = Date.parse(from) <= 0
  const bound = whole ? from : toTimestamp(new Date(Date.parse(from) - days * 86_400_000))
  const [stage = 'n', ...rest] = cursor?.split('|') ?? []
  const place = { cursor: rest.join('|') || null, limit: 1000 }
  const glance = { ...inFull, fields: glanced }
  const page =
    stage === 'n'
      ? await pageBy('created_at', shop, glance, { ...place, updatedSince: whole ? null : bound })
      : await pageBy(
          'updated_at',
          shop,
          { ...glance, filter: { 'created_at[$lt]': bound } },
          { ...place, updatedSince: from },
        )
  const within = page.items.filter((order) => changedAt(order) >= timeOf(from) && changedAt(order) <= timeOf(to))
  const items = within.map((order) => ({ remoteId: idIn(order, 'id'), version: versionOf(order) }))
  if (page.next !== null) return { items, next: `${stage}|${page.next}` }
  return { items, next: stage === 'n' && !whole ? 'o' : null }
}

export const getOrder = (shop: MedusaShop, remoteId: string): Promise<Fields | null> =>
  oneAt(shop, pathOf(remoteId), orderFields, 'order')

/** A second time is an error there; whoever finds the order cancelled has what was wanted. */
export async function cancelOrder(shop: MedusaShop, { remoteId }: { remoteId: string }): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (before === null) throw refused(say('no_such_order'))
  if (before['status'] === 'canceled') return toOrder(before)
  bodyOf(await shop.remote.request({ method: 'POST', path: `${pathOf(remoteId)}/cancel` }))
  return toOrder((await getOrder(shop, remoteId)) ?? before)
}
