import { createHmac, randomUUID } from 'node:crypto'
import type { GivenStore } from '../../support/given-stores.ts'
import { inner, records } from '../store.ts'
import type { WholeLine, WholeOrder } from './whole-order.ts'

type Json = Record<string, unknown>

/** Orders of a WooCommerce shop by its REST API: every page, and the refunds of each order that has some. */
export async function recordsOf(store: GivenStore): Promise<WholeOrder[]> {
  const after = store.since ? { modified_after: store.since.slice(0, 19), dates_are_gmt: 'true' } : {}
  const found: WholeOrder[] = []
  for (let page = 1; ; page++) {
    const read = await ask(store, 'orders', { ...after, orderby: 'id', order: 'asc', per_page: '100', page: `${page}` })
    for (const order of read) {
      const path = `orders/${order['id']}`
      const refunds = records(order['refunds']).length > 0 ? await ask(store, `${path}/refunds`) : []
      const parcels = metaOf(order)['_fulfillment_status'] ? await ask(store, `${path}/fulfillments`) : []
      found.push(wholeOrder(store, order, { refunds, parcels }))
    }
    if (read.length < 100) return found
  }
}

/** By https with the keys as they are, else signed (OAuth 1.0a), which is all that the platform takes there. */
async function ask(
  { url, credentials }: GivenStore,
  path: string,
  query: Record<string, string> = {},
): Promise<Json[]> {
  const { consumer_key: key, consumer_secret: secret } = credentials
  const at = `${url.href.replace(/\/$/, '')}/wp-json/wc/v3/${path}`
  const isOpen = at.startsWith('http:')
  const signed: Record<string, string> = {
    ...query,
    ...(isOpen && {
      oauth_consumer_key: String(key),
      oauth_nonce: randomUUID(),
      oauth_signature_method: 'HMAC-SHA256',
      oauth_timestamp: `${Math.floor(Date.now() / 1000)}`,
    }),
  }
  const text = Object.keys(signed)
    .sort()
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(signed[name] ?? '')}`)
    .join('&')
  const base = `GET&${encodeURIComponent(at)}&${encodeURIComponent(text)}`
  const signature = createHmac('sha256', `${secret}&`).update(base).digest('base64')
  const answer = await fetch(`${at}?${text}${isOpen ? `&oauth_signature=${encodeURIComponent(signature)}` : ''}`, {
    headers: isOpen ? {} : { authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` },
  })
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${at}: ${answer.status} ${JSON.stringify(body)}`)
  return records(Array.isArray(body) ? body : inner(body, 'fulfillments'))
}

const metaOf = (record: Json): Json =>
  Object.fromEntries(records(record['meta_data']).map(({ key, value }) => [String(key), value]))

const text = (value: unknown): string | null => (value == null || value === '' ? null : String(value))
/** Names are HTML. */
const signs: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#039;': "'", '&amp;': '&' }
const name = (value: unknown): string =>
  String(value).replace(/&(lt|gt|quot|#039|amp);/g, (sign) => signs[sign] ?? sign)
const id = (value: unknown): string | null => (Number(value) === 0 ? null : String(value))
const time = (value: unknown): string => `${String(value)}.000000Z`
const sum = (rows: readonly Json[], name: string): number =>
  Math.round(rows.reduce((all, row) => all + Number(row[name]), 0) * 1e6) / 1e6

const statuses: Readonly<Record<string, WholeOrder['status']>> = {
  pending: 'UNPAID',
  failed: 'UNPAID',
  'on-hold': 'ON_HOLD',
  processing: 'PENDING',
  completed: 'SHIPPED',
  cancelled: 'CANCELLED',
  refunded: 'REFUNDED',
}

/** What a status of the shop's own means, if its owner has said so. */
const meanings: Readonly<Record<string, WholeOrder['status']>> = {
  pending: 'UNPAID',
  on_hold: 'ON_HOLD',
  open: 'PENDING',
  completed: 'SHIPPED',
  cancelled: 'CANCELLED',
}

/**
 * Whether the parts make up the total only with the tax besides. The shop's own `prices_include_tax` says how prices were typed
 * in, and nothing of these amounts.
 */
function isTaxOnTop(order: Json): boolean {
  const goods = [...records(order['line_items']), ...records(order['fee_lines']), ...records(order['shipping_lines'])]
  return Math.abs(sum(goods, 'total') + Number(order['total_tax']) - Number(order['total'])) < 1e-6
}

function wholeOrder(
  { url, settings }: GivenStore,
  order: Json,
  { refunds, parcels }: { refunds: readonly Json[]; parcels: readonly Json[] },
): WholeOrder {
  const word = String(order['status'])
  const back = -sum(records(order['refunds']), 'total')
  const isDone = word === 'completed' || (word === 'refunded' && order['date_completed_gmt'] !== null)
  const own = records(settings['order_statuses']).find(({ status }) => status === word)
  const paidBackWholly = word === 'refunded' || (back > 0 && back >= Number(order['total']))
  const left = metaOf(order)['_fulfillment_status']
  const sent = isDone || left === 'fulfilled'
  const said = isDone ? 'SHIPPED' : (statuses[word] ?? (own && meanings[String(own['means'])]))
  // What has left has been sent, though its order is still being processed there.
  const known = said === 'PENDING' && sent ? 'SHIPPED' : said
  return {
    remote_id: String(order['id']),
    number: String(order['number']),
    status: known === 'PENDING' && paidBackWholly ? 'REFUNDED' : (known ?? (paidBackWholly ? 'REFUNDED' : 'ON_HOLD')),
    remote_status: word,
    payment_status: paymentOf(order, { back, paidBackWholly }),
    fulfillment_status: sent ? 'fulfilled' : left === 'partially_fulfilled' ? 'partial' : 'unfulfilled',
    hold_reason: known ? null : `unknown status: ${word} (order_statuses can say what it means)`,
    currency: String(order['currency']),
    subtotal: sum(records(order['line_items']), 'subtotal'),
    discount_total: Number(order['discount_total']),
    shipping_total: Number(order['shipping_total']),
    tax_total: Number(order['total_tax']),
    fee_total: sum(records(order['fee_lines']), 'total'),
    refunded_total: back,
    total: Number(order['total']),
    prices_include_tax: !isTaxOnTop(order),
    shipping_method: text(
      [...new Set(records(order['shipping_lines']).map((one) => name(one['method_title'])))].join(', '),
    ),
    note: text(order['customer_note']),
    admin_url: `${url.href.replace(/\/$/, '')}/wp-admin/admin.php?page=wc-orders&action=edit&id=${order['id']}`,
    placed_at: time(order['date_created_gmt']),
    customer: {
      remote_id: id(order['customer_id']),
      email: text(inner(order, 'billing', 'email')),
      first_name: text(inner(order, 'billing', 'first_name')),
      last_name: text(inner(order, 'billing', 'last_name')),
      phone: text(inner(order, 'billing', 'phone')),
    },
    billing_address: addressOf(order['billing']),
    shipping_address: addressOf(order['shipping']),
    items: records(order['line_items']).map((line) => lineOf(line, { sent, word, refunds, parcels })),
    fees: records(order['fee_lines']).map((fee) => ({
      remote_id: String(fee['id']),
      name: name(fee['name']),
      amount: Number(fee['total']),
      tax: Number(fee['total_tax']),
    })),
    // The shop lists those of one second now this way, now that.
    refunds: records(order['refunds'])
      .toSorted(newestFirst)
      .map((refund) => {
        const whole = refunds.find((one) => one['id'] === refund['id'])
        return {
          remote_id: String(refund['id']),
          amount: -Number(refund['total']),
          reason: text(refund['reason']),
          refunded_at: whole ? time(whole['date_created_gmt']) : null,
          lines: records(whole?.['line_items']).map((line) => ({
            order_line_remote_id: String(metaOf(line)['_refunded_item_id']),
            quantity: -Number(line['quantity']),
            amount: Math.round(-(Number(line['total']) + Number(line['total_tax'])) * 1e6) / 1e6,
          })),
        }
      }),
  }
}

const newestFirst = (one: Json, other: Json): number => Number(other['id']) - Number(one['id'])

function paymentOf(order: Json, { back, paidBackWholly }: { back: number; paidBackWholly: boolean }): string {
  if (paidBackWholly) return 'refunded'
  if (back > 0) return 'partially_refunded'
  if (order['date_paid_gmt'] !== null || order['status'] === 'completed') return 'paid'
  if (order['status'] === 'failed') return 'failed'
  return order['status'] === 'cancelled' ? 'voided' : 'pending'
}

function lineOf(
  line: Json,
  order: { sent: boolean; word: string; refunds: readonly Json[]; parcels: readonly Json[] },
): WholeLine {
  const quantity = Number(line['quantity'])
  const lineId = String(line['id'])
  const [subtotal, total] = [Number(line['subtotal']), Number(line['total'])]
  const packed = order.parcels
    .filter((parcel) => parcel['is_fulfilled'] === true || parcel['is_fulfilled'] === '1')
    .flatMap((parcel) => records(metaOf(parcel)['_items']))
    .filter((item) => String(item['item_id']) === lineId)
  const back = order.refunds
    .flatMap((refund) => records(refund['line_items']))
    .filter((one) => String(metaOf(one)['_refunded_item_id']) === lineId)
  const chosen = records(line['meta_data']).filter(({ key }) => !String(key).startsWith('_'))
  return {
    remote_id: lineId,
    product_remote_id: id(line['product_id']),
    variant_remote_id: id(line['variation_id']) ?? id(line['product_id']),
    sku: text(line['sku']),
    name: name(line['name']),
    variant_name: id(line['variation_id'])
      ? text(chosen.map(({ value, display_value: shown }) => name(shown ?? value)).join(', '))
      : null,
    quantity,
    quantity_fulfilled: order.sent ? quantity : sum(packed, 'qty'),
    quantity_refunded: -sum(back, 'quantity'),
    quantity_cancelled: order.word === 'cancelled' ? quantity : 0,
    price: Math.round((subtotal / quantity) * 1e6) / 1e6,
    discount: Math.round((subtotal - total) * 1e6) / 1e6,
    tax: Number(line['total_tax']),
    total,
  }
}

function addressOf(place: unknown) {
  const at = (name: string) => text(inner(place, name))
  const told = {
    first_name: at('first_name'),
    last_name: at('last_name'),
    company: at('company'),
    line1: at('address_1'),
    line2: at('address_2'),
    city: at('city'),
    region_code: at('state'),
    postal_code: at('postcode'),
    country_code: at('country'),
    phone: at('phone'),
  }
  return Object.values(told).every((one) => one === null) && at('email') === null ? null : told
}
