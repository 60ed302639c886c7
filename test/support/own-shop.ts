import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Definition } from '../../src/commerce/definition/definition.ts'
import { listen } from './loopback.ts'

/** A small shop on a socket of its own, for what descriptions can say about doors, messages and money. */

export interface OwnOrder {
  id: string
  state: string
  total: string
  changed: string
  rows: { id: string; name: string; qty: number; price: string; sku: string }[]
  paid_back: { id: string; sum: string; why: string | null }[]
}

export interface AskedRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: string
}

/** Who is let in, and what else the shop answers; undefined is "ask the shop". */
export type Door = (
  request: AskedRequest,
) => { status: number; body?: unknown; headers?: Record<string, string> } | undefined

export interface OwnShop {
  url: string
  orders: OwnOrder[]
  asked: AskedRequest[]
  door: Door
  /** How many answers to changes get lost from now on. */
  lose: number
  close(): Promise<void>
}

const orderOf = (n: number): OwnOrder => ({
  id: String(100 + n),
  state: 'ready',
  total: '30.00',
  changed: `2026-11-0${1 + (n % 9)}T10:00:00Z`,
  rows: [{ id: `${100 + n}-1`, name: 'Cup', qty: 3, price: '10.00', sku: `CUP-${n}` }],
  paid_back: [],
})

export async function startOwnShop(door: Door = () => undefined): Promise<OwnShop> {
  const shop: OwnShop = {
    ...{ url: '', orders: [1, 2, 3, 4].map(orderOf), asked: [], door, lose: 0 },
    close: async () => undefined,
  }
  const server = createServer((incoming, outgoing) => void serve(shop, incoming, outgoing))
  const { port, close } = await listen(server)
  return Object.assign(shop, { url: `http://127.0.0.1:${port}`, close })
}

async function serve(shop: OwnShop, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://shop.invalid')
  const request: AskedRequest = {
    method: incoming.method ?? 'GET',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString(),
  }
  shop.asked.push(request)
  const { status, body, headers } = { headers: {}, ...(shop.door(request) ?? ordersAnswer(shop, request)) }
  if (request.method !== 'GET' && shop.lose > 0 && pathname.startsWith('/orders')) {
    shop.lose -= 1
    outgoing.destroy()
    return
  }
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
}

function ordersAnswer(shop: OwnShop, { method, path, body }: AskedRequest): ReturnType<Door> & object {
  const [, list, id, part] = path.split('/')
  if (list !== 'orders') return { status: 404, body: { message: 'Not here.' } }
  if (id === undefined) return { status: 200, body: { data: shop.orders } }
  const order = shop.orders.find((one) => one.id === id)
  if (!order) return { status: 404, body: { message: 'No such order.' } }
  if (part === 'refunds' && method === 'POST') {
    const { sum, why = null } = JSON.parse(body)
    order.paid_back.push({ id: `r${order.paid_back.length + 1}`, sum: String(sum), why })
    order.changed = new Date().toISOString()
    return { status: 201, body: { ok: true } }
  }
  return { status: 200, body: { data: order } }
}

type Orders = NonNullable<Definition['orders']>

export const ownOrders: Orders = {
  list: { path: '/orders', items: 'data', paging: { style: 'none' } },
  get: { path: '/orders/{id}', record: 'data' },
  fields: {
    ...{ remote_id: 'id', status: 'state', total: 'total', currency: { value: 'EUR' } },
    ...{ placed_at: { value: '2026-11-01T08:00:00Z' }, updated_at: 'changed' },
  },
  lines: {
    items: 'rows',
    fields: { remote_id: 'id', sku: 'sku', title: 'name', quantity: 'qty', unit_price: 'price' },
  },
  refunds: { items: 'paid_back', fields: { remote_id: 'id', amount: 'sum', reason: 'why' } },
  statuses: [
    { theirs: 'ready', ours: 'open' },
    { theirs: 'void', ours: 'cancelled' },
  ],
}

export const ownService = (auth: Definition['auth'], more: Partial<Definition> = {}): Definition => ({
  origin: { from: 'setting' },
  auth,
  budget: { capacity: 100, per_second: 50 },
  orders: ownOrders,
  ...more,
})
