import type { Dialect } from './dialect.ts'

const tracking = 'Tracking #'

const bySku = (place: string, sku: string) => [
  { name: 'sqlfilters', value: `(t.${place}:=:'${sku}')` },
  { name: 'includestockdata', value: '1' },
]

/** Pages count from 0, customers have a list of their own, words are numbers, and stock is moved instead of set. */
export const dolibarr: Dialect = {
  name: 'Dolibarr',
  paging: { style: 'page', parameter: 'page', first: 0, size_parameter: 'limit', size: 100 },
  query: (_, part) => [
    { name: 'sortfield', value: 't.rowid' },
    ...(part === 'products' ? [{ name: 'includestockdata', value: '1' }] : []),
  ],
  single: ['includestockdata'],
  // Its clock is anywhere: the zone that is furthest behind asks for too much, and never for too little.
  since: (_, part) =>
    part === 'orders'
      ? { name: 'sqlfilters', template: "(t.tms:>=:'{since}')", time: 'local', zone: 'Etc/GMT+12' }
      : undefined,
  find: bySku,
  method: 'PUT',
  known: {
    orders: {
      'orders.joins': [{ name: 'customer', key: 'socid', path: '/thirdparties/{key}' }],
      'orders.fields.status': 'statut',
      'orders.fields.placed_at': 'date',
      'orders.fields.updated_at': { select: 'not_null(date_modification, date_creation, date)' },
      'orders.fields.customer.remote_id': 'customer.id',
      'orders.fields.customer.name': 'customer.name',
      'orders.fields.customer.email': 'customer.email',
      'orders.fields.shipping_address.name': 'customer.name',
      'orders.fields.shipping_address.line1': 'customer.address',
      'orders.fields.shipping_address.postal_code': 'customer.zip',
      'orders.fields.shipping_address.city': 'customer.town',
      'orders.fields.shipping_address.country_code': 'customer.country_code',
      'orders.lines.fields.title': { select: 'not_null(product_label, desc, product_ref)' },
      'orders.lines.fields.unit_price': 'subprice',
      'orders.statuses': [
        { theirs: '-1', ours: 'cancelled' },
        { theirs: '0', ours: 'pending' },
        { theirs: '1', ours: 'open' },
        { theirs: '2', ours: 'open' },
        { theirs: '3', ours: 'completed' },
      ],
      // Orders have no other place for it.
      'orders.shipments': {
        items: { select: `[@][?contains(note_public || '', '${tracking}')]` },
        fields: { tracking_number: { select: "split(note_public, '#')[-1]" } },
      },
      'orders.cancel': { method: 'PUT', path: '/orders/{id}', body: [{ path: 'statut', value: -1 }] },
      'shipments.create': {
        ...{ method: 'PUT', path: '/orders/{id}' },
        body: [
          { path: 'note_public', template: `${tracking}{tracking_number}` },
          { path: 'statut', value: 3 },
        ],
      },
    },
    products: {
      'products.statuses': [
        { theirs: '0', ours: 'inactive' },
        { theirs: '1', ours: 'active' },
      ],
      'products.fields.updated_at': { select: 'not_null(date_modification, date_creation)' },
      'products.variants.fields.price': 'price_ttc',
    },
  },
  stock: (sku) => {
    const available = { at: 'stock_reel', default: 0 }
    return {
      fields: { sku, variant_remote_id: 'id', available },
      set: {
        ...{ method: 'POST', path: '/stockmovements' },
        body: [
          { path: 'product_id', field: 'id' },
          { path: 'warehouse_id', value: 1 },
          { path: 'qty', field: 'difference' },
        ],
        find: { path: '/products', query: bySku(sku, '{sku}'), id: 'id', available },
      },
    }
  },
}
