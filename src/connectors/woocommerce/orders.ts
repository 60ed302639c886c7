import type { Cancellation, Orders } from '../../commerce/connector/parts.ts'
import type { IndexPage, IndexWindow, RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { times } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { OrderDraft, RemoteOrder } from '../../commerce/order.ts'
import { arrayIn, bodyOf, type Fields, fieldsOf, idIn, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { ShopStatus } from '../../commerce/rules/order-words.ts'
import { say } from '../../commerce/words/say.ts'
import { findBySku } from './find-by-sku.ts'
import { withFulfillments } from './fulfillments.ts'
import { changedAt, findOne, isId, listChanged, maxPageSize } from './pages.ts'
import { withRefunds } from './refunds/read-refunds.ts'
import { type Credentials, root, type Settings, type WooShop } from './settings.ts'
import { meaningOf, referenceKey, toOrder } from './translate-order.ts'
import { isKept } from './values.ts'

export const ordersPath = `${root}/orders`

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  statuses: listStatuses,
  index: indexOrders,
  create: { repeatable: false, send: makeOrder, confirm: findMade },
  takes: ['shipping_method', 'shipping_total', 'paid'],
  // Taxes are its own: it adds them by its rates.
  takesPricesWithTax: false,
  cancel: { repeatable: true, send: cancelOrder },
}

async function listOrders(shop: WooShop, query: ReadQuery): Promise<RawPage> {
  const page = await listChanged(shop, ordersPath, query)
  return { ...page, items: await complete(shop, page.items.map(fieldsOf)) }
}

/** The shop's own list: plug-ins add to it. What those mean is in the settings, if anybody has said so. */
async function listStatuses(shop: WooShop): Promise<readonly ShopStatus[]> {
  const answer = await shop.remote.request({ method: 'GET', path: `${root}/reports/orders/totals` })
  const rows = arrayIn({ rows: bodyOf(answer) }, 'rows').map(fieldsOf)
  return rows.map((row) => {
    const word = textIn(row, 'slug')
    return { word, name: maybeText(row, 'name') ?? word, means: meaningOf(word, shop) ?? null }
  })
}

async function getOrder(shop: WooShop, remoteId: string): Promise<Fields | null> {
  const order = await findOne(shop, ordersPath, remoteId)
  if (!order) return null
  const [whole = order] = await complete(shop, [order])
  return whole
}

/** With their parcels and refunds, where they have any: those are records of their own. */
async function complete(shop: WooShop, orders: readonly Fields[]): Promise<Fields[]> {
  const sent: Fields[] = []
  for (const order of orders) sent.push(await withFulfillments(shop, order))
  return await withRefunds(shop, sent)
}

async function indexOrders(shop: WooShop, { from, to, cursor }: IndexWindow): Promise<IndexPage> {
  const further = { _fields: 'id,date_created_gmt,date_modified_gmt' }
  const page = await listChanged(shop, ordersPath, { updatedSince: from, cursor, limit: maxPageSize, further })
  const items = page.items.map(fieldsOf).map((row) => ({ remoteId: idIn(row, 'id'), version: changedAt(row) }))
  return { items: items.filter(({ version }) => version <= to), next: page.next }
}

async function cancelOrder(shop: WooShop, { remoteId, reason }: Cancellation): Promise<RemoteOrder> {
  if (!isId(remoteId)) throw refused(say('invalid_id'))
  const path = `${ordersPath}/${remoteId}`
  // The platform has no field for it; people at the shop read the notes.
  if (reason) await writeNote(shop, remoteId, { note: `Cancelled: ${reason}`, customer_note: false })
  const body = { status: 'cancelled' }
  return toOrder(bodyOf(await shop.remote.request({ method: 'PUT', path, body, repeatable: true })), shop)
}

/** Once, whoever asks again. */
export async function writeNote(
  shop: WooShop,
  orderId: string,
  body: { note: string; customer_note: boolean },
): Promise<void> {
  if (await isNoted(shop, orderId, body.note)) return
  bodyOf(await shop.remote.request({ method: 'POST', path: notesPath(orderId), body }))
}

const notesPath = (orderId: string) => `${ordersPath}/${orderId}/notes`

export async function isNoted({ remote }: WooShop, orderId: string, note: string): Promise<boolean> {
  const rows = bodyOf(await remote.request({ method: 'GET', path: notesPath(orderId) }))
  return arrayIn({ rows }, 'rows').some((row) => isKept(note, fieldsOf(row)['note']))
}

/* Making one ---------------------------------------------------------------------------------------------------- */

const referenceIn = ({ reference }: OrderDraft, { id }: { id: string }) => reference ?? id

async function makeOrder(shop: WooShop, draft: OrderDraft, operation: { id: string }): Promise<RemoteOrder> {
  const { currency, customer } = draft
  const articles = await findBySku(
    shop,
    draft.lines.map(({ sku }) => sku),
  )
  const items = draft.lines.map(({ sku, title, quantity, unit_price: price }) => {
    const [article, ...others] = articles.filter((one) => one.sku === sku)
    // The platform would take the line all the same, as one without an article.
    if (!article) throw refused(say('sku_unknown', { sku }))
    if (others.length > 0) throw refused(say('sku_ambiguous', { sku }))
    const total = price ? times(price, quantity, digitsOf(currency)) : null
    return {
      product_id: Number(article.productId),
      ...(article.variationId ? { variation_id: Number(article.variationId) } : {}),
      quantity,
      ...(title ? { name: title } : {}),
      ...(total === null ? {} : { subtotal: total, total }),
    }
  })
  const body = {
    currency,
    ...statusOf(draft),
    customer_note: draft.note ?? '',
    meta_data: [{ key: referenceKey, value: referenceIn(draft, operation) }],
    billing: {
      ...placeOf(draft.billing_address ?? draft.shipping_address),
      ...filled({ first_name: customer?.first_name, last_name: customer?.last_name, email: customer?.email }),
      ...filled({ phone: customer?.phone }),
    },
    shipping: placeOf(draft.shipping_address ?? draft.billing_address),
    ...(customer?.remote_id && isId(customer.remote_id) ? { customer_id: Number(customer.remote_id) } : {}),
    line_items: items,
    ...shippingOf(draft),
  }
  return toOrder(bodyOf(await shop.remote.request({ method: 'POST', path: ordersPath, body })), shop)
}

/** Where nobody speaks of money the order may be worked on. With it, the shop itself says what comes next. */
const statusOf = ({ paid }: OrderDraft) =>
  paid === true ? { set_paid: true } : { status: paid === false ? 'pending' : 'processing' }

/** Of no method of the shop's: `other` is what its own pages call that. */
function shippingOf({ shipping_method: method, shipping_total: total }: OrderDraft) {
  if (method == null && total == null) return {}
  return { shipping_lines: [{ method_id: 'other', method_title: method ?? 'Shipping', total: total ?? '0' }] }
}

const filled = (fields: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])))

const placeOf = (place: OrderDraft['shipping_address']): Record<string, string> =>
  filled({
    first_name: place?.first_name,
    last_name: place?.last_name,
    company: place?.company,
    address_1: place?.line1,
    address_2: place?.line2,
    city: place?.city,
    state: place?.region_code ?? place?.region,
    postcode: place?.postal_code,
    country: place?.country_code,
    phone: place?.phone,
  })

const pagesBack = 5

/** The platform does not search in notes to machines, so the youngest orders are looked through. */
async function findMade(shop: WooShop, draft: OrderDraft, operation: { id: string }): Promise<RemoteOrder | null> {
  const reference = referenceIn(draft, operation)
  for (let page = 1; page <= pagesBack; page++) {
    const query = { orderby: 'id', order: 'desc', per_page: maxPageSize, page, _fields: 'id,meta_data' }
    const answer = await shop.remote.request({ method: 'GET', path: ordersPath, query })
    const rows = arrayIn({ rows: bodyOf(answer) }, 'rows').map(fieldsOf)
    const found = rows.find((row) =>
      recordsIn(row, 'meta_data').some(({ key, value }) => key === referenceKey && value === reference),
    )
    if (found) return toOrder(await findOne(shop, ordersPath, idIn(found, 'id')), shop)
    if (rows.length < maxPageSize) return null
  }
  return null
}
