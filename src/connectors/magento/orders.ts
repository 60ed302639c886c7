import type { IndexPage, IndexWindow, Orders, RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsOf, idIn, timeIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { bodyIn, isId, isUnknown, maxPageSize, searchAny } from './ask.ts'
import { listChanged } from './pages.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from './settings.ts'
import { toOrder } from './translate-order.ts'

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  index: indexOrders,
  cancel: { repeatable: true, send: cancelOrder },
}

/** What has left is kept apart from the orders; it is asked for once for all of a page. */
async function withShipments(shop: MagentoShop, rows: readonly Fields[]): Promise<Fields[]> {
  const ids = rows.map((row) => idIn(row, 'entity_id'))
  const shipments = await searchAny(shop, 'shipments', { field: 'order_id', values: ids })
  const byOrder = Map.groupBy(shipments, (shipment) => idIn(shipment, 'order_id'))
  return rows.map((row) => ({ ...row, shipments: byOrder.get(idIn(row, 'entity_id')) ?? [] }))
}

async function listOrders(shop: MagentoShop, { statuses, ...query }: ReadQuery): Promise<RawPage> {
  const page = await listChanged(shop, 'orders', { ...query, idField: 'entity_id' })
  const items = await withShipments(shop, page.items.map(fieldsOf))
  if (statuses.length === 0) return { ...page, items }
  const wanted = new Set(statuses.map((word) => word.toLowerCase()))
  const matching = items.filter((raw) => {
    const { status, fulfillment_status: fulfillment, remote_status: remoteStatus } = toOrder(raw)
    return [status, fulfillment, remoteStatus.toLowerCase(), String(raw['state'])].some((word) => wanted.has(word))
  })
  return { items: matching, next: page.next, total: null }
}

async function getOrder(shop: MagentoShop, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const answer = await shop.remote.request({ method: 'GET', path: pathOf(shop, `orders/${remoteId}`) })
  if (isUnknown(answer)) return null
  const [order = null] = await withShipments(shop, [fieldsOf(bodyIn(answer))])
  return order
}

async function indexOrders(shop: MagentoShop, { from, to, cursor }: IndexWindow): Promise<IndexPage> {
  const fields = 'items[entity_id,updated_at],search_criteria,total_count'
  const query = { updatedSince: from, cursor, limit: maxPageSize, idField: 'entity_id', fields } as const
  const page = await listChanged(shop, 'orders', query)
  const items = page.items
    .map(fieldsOf)
    .map((row) => ({ remoteId: idIn(row, 'entity_id'), version: timeIn(row, 'updated_at') }))
  return { items: items.filter(({ version }) => version <= to), next: page.next }
}

/** The platform says `false`, and nothing more, to what cannot be cancelled; also to what is cancelled already. */
async function cancelOrder(shop: MagentoShop, { remoteId }: { remoteId: string }): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (!before) throw refused('The shop has no such order.')
  if (before['state'] === 'canceled') return toOrder(before)
  const path = pathOf(shop, `orders/${remoteId}/cancel`)
  const done = bodyIn(await shop.remote.request({ method: 'POST', path, repeatable: true }))
  const after = await getOrder(shop, remoteId)
  if (done !== true && after?.['state'] !== 'canceled') throw refused('The shop does not cancel this order.')
  return toOrder(after)
}
