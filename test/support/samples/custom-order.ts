import type { RemoteOrder } from '../../../src/commerce/order.ts'
import { type OrderRules, toOrder } from '../../../src/connectors/custom/translate-order.ts'

export const is = (amount: string) => ({ amount, currency: 'EUR' })
const list = { path: '/orders', paging: { style: 'none' as const } }

const address = {
  ...{
    name: 'to.name',
    first_name: 'to.first',
    last_name: 'to.last',
    company: 'to.firm',
    line1: 'to.a',
    line2: 'to.b',
  },
  ...{ city: 'to.city', region: 'to.region', postal_code: 'to.zip', country_code: 'to.country', phone: 'to.phone' },
}

export const rules: OrderRules = {
  list,
  get: { path: '/orders/{id}' },
  fields: {
    ...{ remote_id: 'id', number: 'no', status: 'state', payment_status: 'paid', fulfillment_status: 'sent' },
    ...{
      currency: 'cur',
      subtotal: 'sub',
      discount_total: 'off',
      shipping_total: 'ship',
      tax_total: 'tax',
      total: 'sum',
    },
    ...{ refunded_total: 'back', prices_include_tax: 'gross', shipping_method: 'way', note: 'note', tags: 'tags' },
    ...{ test: 'test', external_reference: 'ref', placed_at: 'at', ship_by: 'by', cancelled_at: 'ended' },
    ...{ cancel_reason: 'why', created_at: 'made', updated_at: 'changed' },
    customer: {
      remote_id: 'who.id',
      email: 'who.mail',
      first_name: 'who.first',
      last_name: 'who.last',
      phone: 'who.tel',
    },
    billing_address: { city: 'bill.city' },
    shipping_address: address,
  },
  lines: {
    items: 'rows',
    fields: {
      ...{
        remote_id: 'id',
        sku: 'sku',
        product_remote_id: 'p',
        variant_remote_id: 'v',
        title: 't',
        variant_title: 'vt',
      },
      ...{ quantity: 'n', quantity_fulfilled: 'sent', quantity_cancelled: 'gone', unit_price: 'each', discount: 'off' },
      ...{ tax: 'tax', total: 'sum', requires_shipping: 'heavy' },
    },
  },
  shipments: {
    items: 'parcels',
    fields: {
      ...{
        remote_id: 'id',
        carrier: 'by',
        service: 'how',
        tracking_number: 'code',
        tracking_url: 'link',
        shipped_at: 'at',
      },
    },
  },
  statuses: [
    { theirs: 'ready', ours: 'open' },
    { theirs: 'done', ours: 'completed' },
    { theirs: 'void', ours: 'cancelled' },
  ],
  payment_statuses: [{ theirs: 'yes', ours: 'paid' }],
  fulfillment_statuses: [
    { theirs: 'part', ours: 'partial' },
    { theirs: 'all', ours: 'fulfilled' },
    { theirs: 'there', ours: 'delivered' },
  ],
}

export const row = {
  id: 1,
  sku: 'CUP',
  p: 'P1',
  v: 'V1',
  t: 'Cup',
  vt: 'Blue',
  n: 3,
  sent: 1,
  gone: 2,
  each: '11.90',
  off: '0.70',
  tax: '5.70',
  sum: '34.00',
  heavy: true,
}
export const bare = { id: 2, t: 'Pot', n: 2, each: '10' }

export const order = {
  ...{
    id: 17,
    no: 'N-17',
    state: 'ready',
    paid: 'yes',
    sent: 'part',
    cur: 'eur',
    sub: '35.70',
    off: '0.70',
    ship: '5',
  },
  ...{
    tax: '6.39',
    sum: '40.00',
    back: '1.5',
    gross: true,
    way: 'Standard',
    note: 'Ring twice',
    tags: 'a, b',
    test: 'true',
  },
  ...{ ref: 'EXT-1', at: '2026-10-01T08:00:00Z', by: '2026-10-05', ended: '2026-10-06T08:00:00Z', why: 'Gone' },
  ...{ made: '2026-09-30T08:00:00Z', changed: '2026-10-03T08:00:00Z' },
  who: { id: 9, mail: 'ada@example.com', first: 'Ada', last: 'Lovelace', tel: '+49 30 1' },
  bill: { city: 'Hamburg' },
  to: {
    name: 'Ada Lovelace',
    first: 'Ada',
    last: 'Lovelace',
    firm: 'Analytical',
    a: 'x'.repeat(300),
    b: 'Floor 2',
    city: 'Berlin',
    region: 'BE',
    zip: 10115,
    country: 'de',
    phone: '+49 30 2',
  },
  rows: [row, bare],
  parcels: [
    { id: 31, by: 'DHL', how: 'Express', code: 'TRACK-1', link: 'https://dhl.example/1', at: '2026-10-02T08:00:00Z' },
  ],
}

export const read = (changes: object, format = {}, own: OrderRules = rules): RemoteOrder =>
  toOrder('teapots', own, format, { ...order, ...changes })
