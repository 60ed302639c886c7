import type { Orders } from '../../commerce/connector/parts.ts'
import type { IndexPage, IndexWindow, RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, numberIn, recordsIn, textIn, timeIn } from '../../commerce/reading.ts'
import { shopAway } from '../../commerce/remote.ts'
import { ask, askOne, bodyOf, fulfillment, request } from './ask.ts'
import { cancel } from './cancel-order.ts'
import { horizonDays, listWindows } from './order-windows.ts'
import { returns } from './refunds/read-returns.ts'
import type { Credentials, EbayShop, Settings } from './settings.ts'
import { isSent, statuses, toOrder } from './translate-order.ts'

/** As many as eBay gives at once. */
const maxOrders = 200

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  listsInPart: true,
  translate: toOrder,
  index: indexOrders,
  horizon: () => horizonDays,
  statuses: async () => statuses,
  returns,
  cancel: { repeatable: true, send: (shop, input) => cancel(shop, input, getOrder) },
}

async function listOrders(shop: EbayShop, query: ReadQuery): Promise<RawPage> {
  const size = Math.min(query.limit, maxOrders)
  return await listWindows(
    { size, ask: async (from, to, offset) => await askWindow(shop, { from, to, offset, size }) },
    query,
  )
}

async function indexOrders(shop: EbayShop, { from, to, cursor }: IndexWindow): Promise<IndexPage> {
  const ask = (since: number | null, until: number | null, offset: number) =>
    askWindow(shop, { from: since, to: until, offset, size: maxOrders })
  // Whoever wants all of them asks from long before there was an order: eBay names the day itself.
  const updatedSince = Date.parse(from) < theBeginning ? null : from
  const page = await listWindows({ size: maxOrders, ask }, { updatedSince, cursor })
  const items = page.items.map(fieldsOf).map((order) => ({
    remoteId: textIn(order, 'orderId'),
    version: timeIn(order, 'lastModifiedDate'),
  }))
  return { items: items.filter(({ version }) => version <= to), next: page.next }
}

const theBeginning = Date.UTC(1995, 8, 3)

async function askWindow(
  shop: EbayShop,
  { from, to, offset, size }: { from: number | null; to: number | null; offset: number; size: number },
) {
  const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString())
  const filter = from === null ? {} : { filter: `lastmodifieddate:[${time(from)}..${time(to)}]` }
  const answer = await request(shop, { path: `${fulfillment}/order`, query: { ...filter, limit: size, offset } })
  const body = fieldsOf(bodyOf(answer))
  const now = Date.parse(answer.headers['date'] ?? '')
  if (Number.isNaN(now)) throw shopAway(60)
  const rows = body['orders'] == null ? [] : recordsIn(body, 'orders')
  return { rows, total: numberIn(body, 'total'), now }
}

export async function parcelsOf(shop: EbayShop, id: string): Promise<readonly Fields[]> {
  const body = fieldsOf(await ask(shop, { path: `${fulfillment}/order/${id}/shipping_fulfillment` }))
  return body['fulfillments'] == null ? [] : recordsIn(body, 'fulfillments')
}

export async function getOrder(shop: EbayShop, remoteId: string): Promise<Fields | null> {
  if (!/^[\w!-]{1,80}$/.test(remoteId)) return null
  const order = await askOne(shop, { path: `${fulfillment}/order/${remoteId}` })
  return order && { ...order, fulfillments: isSent(order) ? await parcelsOf(shop, remoteId) : [] }
}
