import type { Static } from 'typebox'
import { typedKeys } from '../../src/commerce/connector/auth.ts'
import type { RawPage, ReadQuery } from '../../src/commerce/connector/reads.ts'
import { type Connector, connector } from '../../src/commerce/connector.ts'
import type { RemoteOrder } from '../../src/commerce/order.ts'
import { noTransport } from '../../src/commerce/remote.ts'
import { shopStatuses } from '../../src/commerce/rules/order-words.ts'
import { integer, object, text } from '../../src/lib/validation/fields.ts'
import { remoteOrder } from './remote-order.ts'

/** A shop whose orders a test writes down, and which does what the test says before each answer. */
export interface ScriptedShop {
  connector: Connector
  orders: Map<string, ScriptedOrder>
  /** Every question for a page. */
  asked: ReadQuery[]
  got: string[]
  /** May throw, or change the shop. */
  beforePage: (query: ReadQuery, nth: number) => void | Promise<void>
  pageSize: number
  /** Null: the shop does not tell. */
  total: ((n: number) => number | null) | null
}

export interface ScriptedOrder {
  id: string
  updated: string
  total: string
  status: RemoteOrder['status']
  fulfillment: RemoteOrder['fulfillment_status']
  placed: string
  /** Cannot be translated. */
  broken?: boolean
  note?: string
}

/** Minutes after the first of September. */
export const minute = (n: number): string => new Date(Date.UTC(2026, 8, 1, 0, n)).toISOString().replace('Z', '000Z')

const settings = object({ seed: text(), orders: integer() })
const credentials = object({ api_key: text() })

export function scriptedShop(count: number, { pageSize = 10 }: { pageSize?: number } = {}): ScriptedShop {
  const shop: ScriptedShop = {
    connector: connector({
      type: 'sandbox',
      name: 'Orders',
      settings,
      auth: typedKeys<Static<typeof settings>, Static<typeof credentials>, typeof credentials>({
        credentials,
        checkAccess: async () => undefined,
      }),
      remote: {
        origin: () => 'https://orders.test',
        authenticate: (request) => request,
        budgets: { default: { capacity: 1000, perSecond: 1000 } },
        inProcess: (request) => noTransport({ url: '', request }),
      },
      orders: {
        list: async (_, query) => await list(shop, query),
        get: async (_, id) => {
          shop.got.push(id)
          return structuredClone(shop.orders.get(id) ?? null)
        },
        statuses: async () => shopStatuses({ open: 'open', completed: 'completed', cancelled: 'cancelled' }),
        translate: (raw) => toRemoteOrder(raw as ScriptedOrder),
      },
    }),
    orders: new Map(),
    asked: [],
    got: [],
    beforePage: () => undefined,
    pageSize,
    total: (n) => n,
  }
  for (let n = 1; n <= count; n++) putOrder(shop, { id: `o${n}`, updated: minute(n), placed: minute(n) })
  return shop
}

export function putOrder(shop: ScriptedShop, order: Partial<ScriptedOrder> & { id: string }): void {
  const held = shop.orders.get(order.id)
  shop.orders.set(order.id, {
    updated: minute(0),
    placed: minute(0),
    total: '10.00',
    status: 'open',
    fulfillment: 'unfulfilled',
    ...held,
    ...order,
  })
}

/** Oldest change first; the cursor is the last change and id of the page before, so nothing slips. */
async function list(shop: ScriptedShop, query: ReadQuery): Promise<RawPage> {
  shop.asked.push(query)
  await shop.beforePage(query, shop.asked.length)
  const place = (order: ScriptedOrder) => `${order.updated}|${order.id}`
  const rows = [...shop.orders.values()]
    .filter(({ updated }) => query.updatedSince === null || updated >= query.updatedSince)
    .sort((a, b) => (place(a) < place(b) ? -1 : 1))
  const left = rows.filter((order) => query.cursor === null || place(order) > query.cursor)
  const items = left.slice(0, Math.min(query.limit, shop.pageSize))
  const last = items.at(-1)
  return {
    items: structuredClone(items),
    next: last && items.length < left.length ? place(last) : null,
    total: shop.total?.(rows.length) ?? null,
  }
}

export function toRemoteOrder(raw: ScriptedOrder): RemoteOrder {
  if (raw.broken) throw new TypeError('The order makes no sense.')
  const money = { amount: raw.total, currency: 'EUR' }
  return remoteOrder({
    remote_id: raw.id,
    number: `#${raw.id}`,
    status: raw.status,
    fulfillment_status: raw.fulfillment,
    remote_status: raw.status,
    subtotal: money,
    total: money,
    note: raw.note ?? null,
    placed_at: raw.placed,
    remote_created_at: raw.placed,
    remote_updated_at: raw.updated,
    remote_version: raw.updated,
    raw,
  })
}
