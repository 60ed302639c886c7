import type { Definition } from '../../src/commerce/definition/definition.ts'

/** Two shops that nobody wrote a connector for, as different as they can be: those of `simulator/platforms/custom`. */

const lineFields = { remote_id: 'id', sku: 'sku', title: 'name', quantity: 'qty', unit_price: 'price' }

/** Pages by number, times in ISO 8601, amounts with a point; a parcel is looked for in its order. */
export const paged: Definition = {
  origin: { from: 'shop', base_path: '/api/v1' },
  auth: { kind: 'header', name: 'X-Api-Key' },
  budget: { capacity: 20, per_second: 5 },
  orders: {
    list: {
      path: '/orders',
      items: 'data',
      total: 'meta.total',
      since: 'updated_after',
      query: [{ name: 'sort', value: 'updated' }],
      paging: { style: 'page', parameter: 'page', size_parameter: 'per_page', size: 20 },
    },
    get: { path: '/orders/{id}', record: 'data' },
    fields: {
      remote_id: 'id',
      number: 'reference',
      status: 'state',
      payment_status: 'payment.state',
      currency: 'totals.currency',
      shipping_total: 'totals.shipping',
      total: 'totals.grand',
      placed_at: 'created',
      updated_at: 'updated',
      customer: { email: 'buyer.mail', first_name: 'buyer.names.0', last_name: 'buyer.names.1' },
      shipping_address: { line1: 'ship_to.street', city: 'ship_to.town', country_code: 'ship_to.country' },
    },
    lines: { items: 'rows', fields: lineFields },
    shipments: { items: 'parcels', fields: { remote_id: 'id', tracking_number: 'code', carrier: 'by' } },
    refunds: {
      items: 'paid_back',
      fields: { remote_id: 'id', amount: 'sum', reason: 'why', refunded_at: 'on' },
      lines: { items: 'rows', fields: { order_line_remote_id: 'row', quantity: 'qty' } },
    },
    returns: {
      items: 'sent_back',
      fields: { remote_id: 'id', status: 'state', requested_at: 'on' },
      lines: { items: 'rows', fields: { order_line_remote_id: 'row', quantity: 'qty', reason: 'why' } },
      statuses: [{ theirs: 'back', ours: 'received' }],
    },
    statuses: [
      { theirs: 'waiting', ours: 'pending' },
      { theirs: 'ready', ours: 'open' },
      { theirs: 'sent', ours: 'completed' },
      { theirs: 'void', ours: 'cancelled' },
    ],
    payment_statuses: [
      { theirs: 'due', ours: 'pending' },
      { theirs: 'paid', ours: 'paid' },
    ],
    cancel: {
      method: 'POST',
      path: '/orders/{id}/void',
      body: [{ path: 'why', field: 'reason' }],
    },
  },
  products: {
    list: {
      path: '/articles',
      items: 'data',
      since: 'updated_after',
      paging: { style: 'page', parameter: 'page', size_parameter: 'per_page', size: 20 },
    },
    get: { path: '/articles/{id}', record: 'data' },
    fields: { remote_id: 'id', title: 'name', status: 'live', updated_at: 'updated', tags: 'tags' },
    statuses: [
      { theirs: 'true', ours: 'active' },
      { theirs: 'false', ours: 'inactive' },
    ],
    variants: { fields: { remote_id: 'id', sku: 'sku', price: 'price.amount', currency: 'price.currency' } },
  },
  inventory: {
    list: { path: '/stock', items: 'data', paging: { style: 'offset', parameter: 'skip', size_parameter: 'take' } },
    fields: { sku: 'sku', available: 'free', on_hand: 'total', updated_at: 'updated' },
    set: { method: 'PUT', path: '/stock/{sku}', body: [{ path: 'free', field: 'quantity' }] },
  },
  shipments: {
    create: {
      method: 'POST',
      path: '/orders/{id}/parcels',
      body: [
        { path: 'parcel.code', field: 'tracking_number' },
        { path: 'parcel.by', field: 'carrier' },
        { path: 'notify', value: true },
      ],
    },
  },
  proxy: { prefixes: ['/articles'], resources: [{ name: 'articles', path: '/articles' }] },
}

/** Cursors and links, Unix times, amounts in cents; a parcel that is sent twice is known by its key. */
export const linked: Definition = {
  origin: { from: 'setting' },
  auth: { kind: 'basic' },
  format: { money: 'minor', time: 'unix', currency: 'EUR' },
  test: { path: '/whoami' },
  orders: {
    list: {
      path: '/sales',
      items: 'results',
      since: 'changed_since',
      paging: { style: 'cursor', parameter: 'after', size_parameter: 'limit', size: 30, next: 'page.next' },
    },
    get: { path: '/sales/{id}' },
    fields: {
      remote_id: 'sale_id',
      status: 'state',
      total: 'amount_total',
      placed_at: 'created',
      updated_at: 'changed',
      customer: { email: 'mail' },
    },
    lines: { items: 'rows', fields: lineFields },
    statuses: [
      { theirs: '0', ours: 'pending' },
      { theirs: '1', ours: 'open' },
      { theirs: '2', ours: 'completed' },
      { theirs: '9', ours: 'cancelled' },
    ],
    cancel: { method: 'DELETE', path: '/sales/{id}' },
  },
  products: {
    list: { path: '/goods', since: 'changed_since', paging: { style: 'link', size_parameter: 'limit', size: 25 } },
    fields: { remote_id: 'id', title: 'title', updated_at: 'changed' },
    variants: { items: 'variants', fields: { remote_id: 'id', sku: 'sku', price: 'cents', quantity: 'left' } },
  },
  inventory: {
    list: { path: '/levels', items: 'levels', paging: { style: 'none' } },
    fields: { sku: 'article', location_remote_id: 'place', available: 'count' },
    set: {
      method: 'POST',
      path: '/levels',
      body: [
        { path: 'article', field: 'sku' },
        { path: 'place', field: 'location' },
        { path: 'count', field: 'quantity' },
      ],
    },
  },
  shipments: {
    create: {
      method: 'POST',
      path: '/sales/{id}/send',
      body: [{ path: 'tracking', field: 'tracking_number' }],
      lines: { path: 'rows', order_line_remote_id: 'row', quantity: 'qty' },
      idempotency_header: 'Idempotency-Key',
    },
  },
}

/** Shops whose keys may not see everything, and what is then missed. */
type Lacking = readonly (readonly [variant: Readonly<Record<string, string>>, right: RegExp])[]

const lacksOrders: Lacking = [[{ lacks: 'orders' }, /orders \(GET \/orders\)/]]
const lacksArticles: Lacking = [[{ lacks: 'articles' }, /products \(GET \/articles\)/]]
const lacksSales: Lacking = [[{ lacks: 'sales' }, /orders \(GET \/sales\).*settings/]]

/** Connectors that are no code but one of these; `manner` is that of the platform `custom`. */
export const described = [
  {
    ...{ type: 'described-by-pages', definition: paged, manner: 'pages' },
    lacking: [...lacksOrders, ...lacksArticles],
  },
  { type: 'described-by-cursors', definition: linked, manner: 'links', lacking: lacksSales },
]

/** A door with a login, messages that are signed, and money that goes back: what the other two do without. */
export const guarded: Definition = {
  ...linked,
  auth: {
    kind: 'login',
    secrets: [
      { name: 'user', label: 'User', help: 'As you sign in to the service.' },
      { name: 'password' },
      { name: 'branch', optional: true },
    ],
    login: {
      ...{ address: '/login', method: 'POST', encoding: 'form' },
      query: [{ name: 'branch', value: '{branch}' }],
      headers: [{ name: 'X-User', value: '{user}' }],
      body: [{ path: 'password', value: '{password}' }],
      ...{ token: 'session.token', expires_in: 'session.seconds' },
    },
    send: [{ in: 'header', name: 'X-Session', value: '{token}' }],
  },
  refunds: {
    create: {
      ...{ method: 'POST', path: '/sales/{id}/refunds', idempotency_header: 'Idempotency-Key' },
      body: [
        { path: 'sum', field: 'amount', money: 'minor' },
        { path: 'why', field: 'reason' },
      ],
      lines: { path: 'rows', order_line_remote_id: 'row', quantity: 'qty', amount: 'cents', money: 'minor' },
    },
  },
  webhooks: {
    signature: {
      ...{ header: 'X-Signature', algorithm: 'sha512', encoding: 'base64', prefix: 'v1=', separator: '.' },
      over: [{ from: 'header', name: 'X-Time' }, { from: 'body' }],
    },
    topic: { header: 'X-Topic' },
    topics: [
      { theirs: 'sale', ours: 'order.updated' },
      { theirs: 'stock', ours: 'inventory.updated' },
    ],
    ...{ items: 'sales', id: 'sale_id', delivery: { header: 'X-Message' }, sent: { header: 'X-Time' } },
  },
}

/** The same service opened by OAuth 2, in both ways. */
export const byClient: Definition = {
  ...linked,
  auth: {
    kind: 'client_credentials',
    oauth: {
      ...{ token_address: 'https://login.example/token', client_in: 'basic', scopes: ['sales'] },
      parameters: [{ name: 'audience', value: 'sales' }],
    },
  },
}
export const byCode: Definition = {
  ...linked,
  auth: {
    kind: 'authorization_code',
    oauth: { authorize_address: 'https://login.example/authorize', token_address: '/token', pkce: true },
  },
}
