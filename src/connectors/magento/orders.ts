import type { Cancellation, Orders } from '../../commerce/connector/parts.ts'
import type { IndexPage, IndexWindow, RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsOf, idIn, maybeText, recordsIn, textIn, timeIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { type ShopStatus, shopStatuses } from '../../commerce/rules/order-words.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyIn, isId, isUnknown, maxPageSize, search, searchAny } from './ask.ts'
import { commentIfAllowed } from './changes/comment.ts'
import { chosenIn } from './lines/attributes.ts'
import { listChanged } from './pages.ts'
import { returns } from './returns/read-returns.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from './settings.ts'
import { statuses, toOrder } from './translate-order.ts'

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  fractions: true,
  statuses: listStatuses,
  index: indexOrders,
  returns,
  cancel: { repeatable: true, send: cancelOrder },
}

/** What has left and what was paid back is kept apart from the orders; it is asked for once for all of a page. */
async function withParts(shop: MagentoShop, rows: readonly Fields[]): Promise<Fields[]> {
  const ids = rows.map((row) => idIn(row, 'entity_id'))
  const shipments = await searchAny(shop, 'shipments', { field: 'order_id', values: ids })
  const byOrder = Map.groupBy(shipments, (shipment) => idIn(shipment, 'order_id'))
  const refunded = rows.filter((row) => Number(row['total_refunded'] ?? 0) > 0).map((row) => idIn(row, 'entity_id'))
  const memos =
    refunded.length === 0 ? [] : await searchAny(shop, 'creditmemos', { field: 'order_id', values: refunded })
  const memosOf = Map.groupBy(memos, (memo) => idIn(memo, 'order_id'))
  const options = await optionsIn(shop, rows)
  return rows.map((row) => {
    const id = idIn(row, 'entity_id')
    const chosen = new Set(
      itemsIn(row)
        .flatMap(chosenIn)
        .map((one) => idIn(one, 'option_id')),
    )
    const named = options.filter((option) => chosen.has(idIn(option, 'option_id')))
    return { ...row, shipments: byOrder.get(id) ?? [], creditmemos: memosOf.get(id) ?? [], options: named }
  })
}

const itemsIn = (row: Fields) => recordsIn({ items: [], ...row }, 'items')

/** The options of products that were filled in: orders name them by ids. */
async function optionsIn(shop: MagentoShop, rows: readonly Fields[]): Promise<Fields[]> {
  const chosen = rows.flatMap(itemsIn).filter((item) => chosenIn(item).length > 0 && item['product_id'] != null)
  if (chosen.length === 0) return []
  const values = chosen.map((item) => idIn(item, 'product_id'))
  const fields = 'items[id,sku,options],search_criteria,total_count'
  const products = await searchAny(shop, 'products', { field: 'entity_id', values, fields })
  return products.flatMap((product) => recordsIn({ ...product, options: product['options'] ?? [] }, 'options'))
}

async function listOrders(shop: MagentoShop, query: ReadQuery): Promise<RawPage> {
  const page = await listChanged(shop, 'orders', { ...query, idField: 'entity_id' })
  const items = await withParts(shop, page.items.map(fieldsOf))
  return { ...page, items }
}

async function getOrder(shop: MagentoShop, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const answer = await shop.remote.request({ method: 'GET', path: pathOf(shop, `orders/${remoteId}`) })
  if (isUnknown(answer)) return null
  const [order = null] = await withParts(shop, [fieldsOf(bodyIn(answer))])
  return order
}

/**
 * States, of which there are eight, and the merchant's own words for them. Those are not listed anywhere: they are read off
 * the orders that changed last.
 */
async function listStatuses(shop: MagentoShop): Promise<readonly ShopStatus[]> {
  const { rows } = await search(shop, 'orders', {
    newestFirst: 'updated_at',
    size: maxPageSize,
  })
  const own = rows.flatMap((row) => {
    const word = maybeText(row, 'status')
    return word === null ? [] : [[word, statuses[textIn(row, 'state')]] as const]
  })
  return shopStatuses({ ...Object.fromEntries(own), ...statuses })
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
async function cancelOrder(shop: MagentoShop, { remoteId, reason }: Cancellation): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (!before) throw refused(say('no_such_order'))
  // Why is a comment for the people at the shop, once it is certain that the order is cancelled.
  const cancelled = async (order: Fields): Promise<RemoteOrder> => {
    if (reason) await commentIfAllowed(shop, order, reason)
    return toOrder(order)
  }
  if (before['state'] === 'canceled') return await cancelled(before)
  const path = pathOf(shop, `orders/${remoteId}/cancel`)
  const done = bodyIn(await shop.remote.request({ method: 'POST', path, repeatable: true }))
  const after = await getOrder(shop, remoteId)
  if (!after || (done !== true && after['state'] !== 'canceled')) throw refused(say('not_cancelled'))
  return await cancelled(after)
}
