import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { drawLots } from '../../test/support/chance.ts'
import { freePort } from '../../test/support/process.ts'
import { copies, moveSequences } from './copies.ts'
import { folderOf } from './installed.ts'
import type { Json, Peer, Place, RunningPeer, Way } from './peer.ts'
import { logIn, runToEnd, startServer } from './process.ts'

const lots = drawLots('peers: medusa')

const email = 'admin@example.com'

export const medusa: Peer = {
  name: 'Medusa',
  folder: 'medusa',
  packageName: '@medusajs/medusa',
  async start(place): Promise<RunningPeer> {
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const [password, JWT_SECRET, COOKIE_SECRET] = [16, 32, 32].map((size) => randomBytes(size).toString('hex'))
    const cwd = folderOf(medusa)
    const env = {
      ...{ DATABASE_URL: place.databaseUrl, BASE_URL: base, MEDUSA_DISABLE_TELEMETRY: 'true' },
      ...{ JWT_SECRET: JWT_SECRET ?? '', COOKIE_SECRET: COOKIE_SECRET ?? '', LOG_LEVEL: 'warn' },
    }
    const program = (...args: string[]) => ({
      args: [join(cwd, 'node_modules/@medusajs/cli/cli.js'), ...args],
      ...{ cwd, env, log: logIn(place.folder, 'medusa') },
    })
    await runToEnd(program('db:migrate'))
    await runToEnd(program('user', '-e', email, '-p', password ?? ''))
    return await startServer(program('start', '--host', '127.0.0.1', '--port', String(port)), `${base}/health`, () =>
      prepare(base, password ?? '', place),
    )
  },
}

/** What we answer of an order, in its words. */
const fields = [
  ...['id', 'display_id', 'status', 'payment_status', 'fulfillment_status', 'currency_code', 'email'],
  ...['total', 'subtotal', 'discount_total', 'shipping_total', 'tax_total', 'created_at', 'updated_at'],
  ...['*items', '*shipping_address', '*billing_address', '*customer'],
].join(',')

async function prepare(base: string, password: string, place: Place): Promise<RunningPeer['ways']> {
  const { token } = await callerOf(base)('POST', '/auth/user/emailpass', { email, password })
  const bearer = { authorization: `Bearer ${token}` }
  const call = callerOf(base, bearer)
  const draft = await draftOf(call)
  const { draft_order: made } = await call('POST', '/admin/draft-orders', draft)
  const { order } = await call('POST', `/admin/draft-orders/${made.id}/convert-to-order`, {})
  await fill(place, order.id)
  const key = (await call('POST', '/admin/api-keys', { title: 'integration', type: 'secret' })).api_key.token
  const basic = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }

  const asked = `fields=${encodeURIComponent(fields)}`
  const list = (by: string, headers: Record<string, string>): Way => ({
    ...{ work: 'list', by, headers },
    url: `${base}/admin/orders?limit=${place.perPage}&order=-id&${asked}`,
    holds: ({ orders, count }) => orders.length === place.perPage && count === place.orders,
  })
  const copy = () => `${order.id}_${1 + lots.below(place.orders - 1)}`
  return [
    { ...list('secret key', basic), target: 100 },
    list('session', bearer),
    {
      ...{ work: 'read', by: 'session', headers: bearer, url: `${base}/admin/orders/${order.id}?${asked}` },
      next: () => ({ path: `/admin/orders/${copy()}?${asked}` }),
      holds: ({ order: found }) => found.items.length > 0,
    },
    {
      ...{ work: 'create', by: 'session; a draft', url: `${base}/admin/draft-orders` },
      headers: { ...bearer, 'content-type': 'application/json' },
      next: () => ({ body: JSON.stringify(draft) }),
      holds: ({ draft_order: draft }) => typeof draft.id === 'string',
    },
  ]
}

type Call = (method: 'GET' | 'POST', path: string, body?: Json) => Promise<Json>

const callerOf =
  (base: string, headers: Readonly<Record<string, string>> = {}): Call =>
  async (method, path, body) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`Medusa, ${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }

/** An order of two lines, and the region and channel that it cannot be without. */
async function draftOf(call: Call): Promise<Json> {
  const { store } = { store: (await call('GET', '/admin/stores')).stores[0] }
  const supported = [{ currency_code: 'eur', is_default: true }]
  await call('POST', `/admin/stores/${store.id}`, { supported_currencies: supported })
  const region = { name: 'Europe', currency_code: 'eur', countries: ['gb'], payment_providers: ['pp_system_default'] }
  const { id: region_id } = (await call('POST', '/admin/regions', region)).region
  const { id: sales_channel_id } = (await call('POST', '/admin/sales-channels', { name: 'Web' })).sales_channel
  const address = {
    ...{ first_name: 'Ada', last_name: 'Lovelace', address_1: '12 St James’s Square' },
    ...{ city: 'London', postal_code: 'SW1Y 4JH', country_code: 'gb' },
  }
  return {
    ...{ region_id, sales_channel_id, email: 'ada@example.com' },
    ...{ shipping_address: address, billing_address: address },
    items: ['Kettle', 'Teapot'].map((title) => ({ title, quantity: 1, unit_price: 33.2 })),
    shipping_methods: [],
  }
}

/** Whatever hangs on the order is copied with it; there is no other order yet. */
async function fill({ client, orders }: Place, first: string): Promise<void> {
  const own = (...columns: string[]) =>
    Object.fromEntries(['id', ...columns].map((column) => [column, `t.${column} || '_' || n`]))
  const tables = {
    order_address: own(),
    order: { ...own('shipping_address_id', 'billing_address_id'), display_id: 't.display_id + n' },
    order_line_item: own(),
    order_item: own('order_id', 'item_id'),
    order_summary: own('order_id'),
  }
  const { rows } = await client.query<{ id: string }>('select id from "order"')
  if (rows.length !== 1 || rows[0]?.id !== first) throw new Error('Medusa has other orders than the one that was made.')
  for (const [table, changed] of Object.entries(tables))
    await client.query(copies(table, 'true', changed), [orders - 1])
  await moveSequences(client)
  await client.query('vacuum analyze')
}
