import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { minute, putOrder, type ScriptedShop, scriptedShop } from '../../../../test/support/order-shop.ts'
import { syncedOrders } from '../../../../test/support/synced-orders.ts'
import type { ReturnQuery } from '../../../commerce/connector/parts.ts'
import type { Connector } from '../../../commerce/connector.ts'
import type { OrderReturn, RemoteReturn } from '../../../commerce/order.ts'
import { refused, shopAway } from '../../../commerce/remote.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'
import type { Context } from '../../context.ts'
import type { Integration } from '../../integrations/integration.ts'
import { orderByRemoteId } from '../../orders/order-store.ts'
import { historyOfOrders } from '../../orders/privacy/history-store.ts'
import { redactOrders } from '../../orders/privacy/redact-store.ts'
import { syncNow } from '../sync-now.ts'
import { readReturns } from './read-returns.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { connected, eventsOf } = syncedOrders(() => tested)
const running = { attempt: 1, signal: new AbortController().signal }
const pageSize = 2

let shop: ScriptedShop
let listed: RemoteReturn[]
let asked: ReturnQuery[]
let before: () => void
let queued: number
let context: Context
let integration: Integration

/** The shop of orders, with a list of returns beside them. */
const withReturns = (connector: Connector): Connector => ({
  ...connector,
  ...(connector.orders && {
    orders: {
      ...connector.orders,
      returns: {
        list: async (_, query) => {
          asked.push(query)
          before()
          const from = Number(query.cursor ?? 0)
          const { updatedSince: since } = query
          const all = listed.filter(({ updated_at: at }) => since === null || Date.parse(at) >= Date.parse(since))
          const next = from + pageSize < all.length ? String(from + pageSize) : null
          return { items: all.slice(from, from + pageSize), next, total: null }
        },
        translate: (raw) => {
          const one = raw as RemoteReturn
          if (one.told.remote_id === 'broken') throw new TypeError('The return makes no sense.')
          return [one]
        },
      },
    },
  }),
})

beforeEach(async () => {
  shop = scriptedShop(5)
  ;[listed, asked, before, queued] = [[], [], () => undefined, 0]
  const made = await connected({ ...shop, connector: withReturns(shop.connector) })
  integration = made.integration
  context = {
    ...made.context,
    enqueue: async (_trx, { name }) => {
      if (name === readReturns.name) queued++
    },
  }
  await syncNow(context, integration, 'sync_orders')
})

const read = () => readReturns.run(context, { integrationId: integration.id }, running)
const orderOf = (id: string) => orderByRemoteId(context.db, integration.id, id)
const notesOf = async (id: string) =>
  (await historyOfOrders(context.db, integration.id, [(await orderOf(id)).id])).map(({ note }) => note)
const back = (order: string, status: OrderReturn['status'], more: { id?: string; at?: string } = {}): RemoteReturn => ({
  order_remote_id: order,
  updated_at: more.at ?? minute(20),
  told: {
    ...{ remote_id: more.id ?? `R-${order}`, status, remote_status: status, requested_at: minute(19) },
    lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Too small' }],
  },
})
const ago = (hours: number) => toTimestamp(new Date(Date.now() - hours * 3_600_000))

describe('a list of returns', () => {
  test('is put on the orders that it is about, page by page, with a line in their history for each step', async () => {
    listed = [
      back('o1', 'requested'),
      back('o2', 'approved'),
      back('o3', 'declined'),
      back('o1', 'received', { id: 'R2' }),
    ]
    await read()
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, '2'])
    expect((await orderOf('o1')).returns).toEqual([listed[0]?.told, listed[3]?.told])
    listed = [back('o1', 'received', { at: minute(40) })]
    await read()
    expect((await orderOf('o1')).returns).toEqual([listed[0]?.told, back('o1', 'received', { id: 'R2' }).told])
    expect(await notesOf('o1')).toEqual([
      null,
      'A return was requested.',
      'A return is received.',
      'A return is received.',
    ])
    expect(await notesOf('o3')).toEqual([null, 'A return is declined.'])
  })

  test('that has not changed changes nothing', async () => {
    listed = [back('o1', 'requested'), back('o2', 'received')]
    await read()
    const first = await orderOf('o1')
    await read()
    expect(await orderOf('o1')).toEqual(first)
    expect(asked.map(({ updatedSince }) => updatedSince)).toEqual([null, minute(20 - 60)])
  })

  test('names lines by their SKU where the platform does not, and none where that may be several', async () => {
    const { id } = await orderOf('o1')
    const hold = (...skus: string[]) => {
      const items = skus.map((sku, n) => ({ remote_id: `L${n + 1}`, sku, product_remote_id: null, quantity: 1 }))
      const set = 'update orders set items = $3 where integration_id = $1 and id = $2'
      return tested.database.query(set, [integration.id, id, JSON.stringify(items)])
    }
    const { told, ...one } = back('o1', 'requested')
    const lines = [1, 2, 3].map((quantity) => ({ order_line_remote_id: null, quantity, reason: null }))
    listed = [{ ...one, told: { ...told, lines }, skus: ['B', 'A', 'C'] }]
    const named = async () => {
      await read()
      return (await orderOf('o1')).returns[0]?.lines.map((line) => line.order_line_remote_id)
    }
    await hold('A', 'B', 'A')
    expect(await named()).toEqual(['L2', null, null])
    await hold('D')
    expect(await named()).toEqual(['L1', 'L1', 'L1'])
  })

  test('is not undone by orders, which do not tell of returns', async () => {
    listed = [back('o1', 'requested')]
    await read()
    putOrder(shop, { id: 'o1', updated: minute(60), total: '99.00' })
    await syncNow(context, integration, 'sync_orders')
    expect(await orderOf('o1')).toMatchObject({ total: '99.00', returns: [listed[0]?.told] })
    const compared = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(compared.result).toMatchObject({ updated: 0 })
    expect((await orderOf('o1')).returns).toEqual([listed[0]?.told])
  })

  test('tells no reason of who was forgotten', async () => {
    const { id } = await orderOf('o1')
    const why = { source: 'api' as const, note: 'Forgotten.' }
    await context.transaction((trx) => redactOrders(trx, integration.id, { orderIds: [id], remoteIds: [], why }))
    listed = [back('o1', 'requested')]
    await read()
    expect((await orderOf('o1')).returns).toMatchObject([{ remote_id: 'R-o1', lines: [{ quantity: 1, reason: null }] }])
  })

  test('is read again where an order may still come, and left with a word where it will not', async () => {
    listed = [back('late', 'requested', { at: ago(1) }), back('never', 'requested', { at: ago(30) })]
    await read()
    expect(await eventsOf(integration)).toContain('returns.unknown_orders')
    putOrder(shop, { id: 'late', updated: ago(1) })
    await syncNow(context, integration, 'sync_orders')
    await read()
    expect((await orderOf('late')).returns).toEqual([listed[0]?.told])
    const told = (await eventsOf(integration)).filter((event) => event === 'returns.unknown_orders')
    expect(told).toHaveLength(1)
  })

  test('one that makes no sense does not keep the others out', async () => {
    listed = [back('o1', 'requested', { id: 'broken' }), back('o2', 'requested')]
    await read()
    expect((await orderOf('o2')).returns).toHaveLength(1)
    expect(await eventsOf(integration)).toContain('returns.unreadable')
  })
})

describe('when a list of returns is read', () => {
  test('after orders, and not again within the hour', async () => {
    expect(queued).toBe(1)
    await read()
    await syncNow(context, integration, 'sync_orders')
    expect(queued).toBe(1)
    await tested.database.query(
      `update integration_state set cursor = jsonb_set(cursor, '{returns,readAt}', to_jsonb(now() - interval '61 minutes'))
      where integration_id = $1`,
      [integration.id],
    )
    await syncNow(context, integration, 'sync_orders')
    expect(queued).toBe(2)
  })

  test('a full sync of orders has it read from the beginning', async () => {
    listed = [back('o1', 'requested')]
    await read()
    await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    await read()
    expect(asked.map(({ updatedSince }) => updatedSince)).toEqual([null, null])
  })

  test('a shop that is away is asked later, from where it stood', async () => {
    listed = ['o1', 'o2', 'o3'].map((id) => back(id, 'requested'))
    before = () => {
      if (asked.length === 2) throw shopAway(90)
    }
    await read()
    expect(queued).toBe(2)
    await read()
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, '2', '2'])
    expect((await orderOf('o3')).returns).toHaveLength(1)
  })

  test('a shop that does not show it is asked once a day, and the log says so once', async () => {
    before = () => {
      throw refused('No right.')
    }
    await read()
    await read()
    await syncNow(context, integration, 'sync_orders')
    expect(queued).toBe(1)
    expect((await eventsOf(integration)).filter((event) => event === 'returns.refused')).toHaveLength(1)
  })
})
