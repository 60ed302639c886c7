import { fromMinorUnits, toMinorUnits } from '../../../commerce/money.ts'
import type { OrderDraft } from '../../../commerce/order.ts'
import { arrayIn, bodyOf, bodyOrNull, type Fields, fieldsOf } from '../../../commerce/reading.ts'
import { type Dialect, signed } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'
import { listAll, listChanged } from './pages.ts'
import { referenceKey, toOrder, toShipment } from './translate-order.ts'

const root = '/wp-json/wc/v3/orders'
const pathOf = (remoteId: string) => `${root}/${encodeURIComponent(remoteId)}`

const referenceIn = ({ reference }: OrderDraft, { id }: { id: string }) => reference ?? id

export const orders: Dialect['orders'] = {
  selects: false,
  list: (shop, query) => listChanged(shop, root, query),
  get: async ({ remote }, remoteId) => bodyOrNull(await remote.request({ method: 'GET', path: pathOf(remoteId) })),
  translate: toOrder,
  async create({ remote }, draft, operation) {
    const body = newOrder(draft, referenceIn(draft, operation))
    return toOrder(bodyOf(await remote.request({ method: 'POST', path: root, body, headers: signed(operation) })))
  },
  /** Found by the note that it was given; the platform itself would make it twice. */
  async findMade({ remote }, draft, operation) {
    const search = referenceIn(draft, operation)
    const answer = await remote.request({ method: 'GET', path: root, query: { search, per_page: 10 } })
    const found = arrayIn({ rows: bodyOf(answer) }, 'rows').map(toOrder)
    return found.find((order) => order.external_reference === search) ?? null
  },
  async cancel({ remote }, { remoteId }, operation) {
    const body = { status: 'cancelled' }
    const request = {
      method: 'PUT',
      path: pathOf(remoteId),
      body,
      headers: signed(operation),
      repeatable: true,
    } as const
    return toOrder(bodyOf(await remote.request(request)))
  },
}

function newOrder(draft: OrderDraft, reference: string) {
  const { currency, customer } = draft
  return {
    currency,
    status: 'processing',
    customer_note: draft.note ?? '',
    // The first one: it is what the platform searches in.
    meta_data: [{ key: referenceKey, value: reference }],
    billing: {
      ...placeOf(draft.billing_address ?? draft.shipping_address),
      first_name: customer?.first_name ?? '',
      last_name: customer?.last_name ?? '',
      ...(customer?.email ? { email: customer.email } : {}),
    },
    shipping: placeOf(draft.shipping_address ?? draft.billing_address),
    line_items: draft.lines.map(({ sku, title, quantity, unit_price: price }) => ({
      sku,
      quantity,
      ...(title ? { name: title } : {}),
      ...(price
        ? { total: fromMinorUnits(toMinorUnits({ amount: price, currency }) * quantity, currency).amount }
        : {}),
    })),
  }
}

function placeOf(place: OrderDraft['shipping_address']): Record<string, string> {
  const told = {
    first_name: place?.first_name,
    last_name: place?.last_name,
    company: place?.company,
    address_1: place?.line1,
    address_2: place?.line2,
    city: place?.city,
    state: place?.region_code,
    postcode: place?.postal_code,
    country: place?.country_code,
    phone: place?.phone,
  }
  return Object.fromEntries(Object.entries(told).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

const trackingsOf = (remoteId: string) =>
  `/wp-json/wc-shipment-tracking/v3/orders/${encodeURIComponent(remoteId)}/shipment-trackings`

/** A tracking number is a remark here, so sending an order is two things: the remark, and the order's status. */
export const ship: Dialect['ship'] = async (shop, draft, operation) => {
  const headers = signed(operation)
  const known = await trackingOf(shop, draft)
  const tracking =
    known ??
    bodyOf(
      await shop.remote.request({
        method: 'POST',
        path: trackingsOf(draft.order_remote_id),
        headers,
        body: {
          custom_tracking_provider: draft.carrier,
          tracking_number: draft.tracking_number,
          custom_tracking_link: draft.tracking_url ?? '',
          ...(draft.shipped_at ? { date_shipped: draft.shipped_at.slice(0, 10) } : {}),
        },
      }),
    )
  if (isWhole(draft)) {
    const path = pathOf(draft.order_remote_id)
    const body = { status: 'completed' }
    bodyOf(await shop.remote.request({ method: 'PUT', path, body, headers, repeatable: true }))
  }
  return toShipment(tracking)
}

export const findShipped: Dialect['findShipped'] = async (shop, draft) => {
  const tracking = await trackingOf(shop, draft)
  if (!tracking) return null
  const order = await orders.get(shop, draft.order_remote_id)
  const done = order !== null && fieldsOf(order)['status'] === 'completed'
  return done || !isWhole(draft) ? toShipment(tracking) : null
}

/** Which lines a parcel holds is not kept here; an order of which only some are named is not completed. */
const isWhole = ({ lines }: { lines?: readonly unknown[] | null | undefined }) => lines == null || lines.length === 0

async function trackingOf(
  shop: SandboxShop,
  draft: { order_remote_id: string; tracking_number: string },
): Promise<Fields | null> {
  const all = await listAll(shop, trackingsOf(draft.order_remote_id))
  return all.find((one) => one['tracking_number'] === draft.tracking_number) ?? null
}
